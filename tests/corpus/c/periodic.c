/* Periodic neighbours by modulo, by conditional wrap and by a table of neighbours. */
#include <stdio.h>
#ifndef N
#define N 16
#endif
static double u[N], v[N], w[N];
static int up[N];

int main(void)
{
  for (int i = 0; i < N; i++) {
    u[i] = (double)(i * i % 11);
    up[i] = i == N - 1 ? 0 : i + 1;
  }
  for (int i = 0; i < N; i++)
    v[i] = u[(i + 1) % N] - 2.0 * u[i] + u[(i + N - 1) % N];
  for (int i = 0; i < N; i++) {
    int im = i == 0 ? N - 1 : i - 1;
    int ip = i == N - 1 ? 0 : i + 1;
    w[i] = v[ip] - v[im];
  }
  for (int i = 0; i < N; i++)
    u[i] = w[up[i]] * 0.5 + w[i];
  printf("%.12g\n", u[N - 1]);
  return 0;
}
