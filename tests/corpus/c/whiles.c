/* while and do-while loops that are counted loops. */
#include <stdio.h>
#ifndef N
#define N 20
#endif
static double x[N], y[N], z[N][N];

void whiles(int n)
{
  int i = 0;
  while (i < n) {
    x[i] = 0.5 * i;
    i++;
  }
  i = n;
  while (i > 0) {
    i--;
    y[i] = x[i] + 1.0;
  }
  i = 0;
  do {
    x[i] = x[i] * y[i];
    i += 2;
  } while (i < n);
  i = 0;
  while (i < n) {
    int j = i;
    while (j < n) {
      z[i][j] = x[i] * y[j];
      j += 1;
    }
    i += 1;
  }
  for (i = 0; i < n;) {
    y[i] = y[i] - z[0][i];
    i++;
  }
}

int main(void)
{
  whiles(N);
  printf("%.12g %.12g\n", x[N - 2], y[N - 1]);
  return 0;
}
