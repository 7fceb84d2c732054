/* Imperfect nests and several loops in a row. */
#include <stdio.h>
#ifndef N
#define N 13
#endif
static double A[N][N], x[N], y[N], z[N], t[N];

static void gemver(double alpha, double beta)
{
  for (int i = 0; i < N; i++) {
    y[i] = 0.0;
    for (int j = 0; j < N; j++) {
      A[i][j] = A[i][j] + x[i] * z[j];
      y[i] = y[i] + beta * A[i][j] * x[j];
    }
    t[i] = y[i] * alpha;
    for (int j = 0; j < N; j++)
      t[i] += A[j][i];
    z[i] = t[i] - y[i];
  }
  for (int i = 0; i < N; i++)
    x[i] = x[i] + z[i];
}

int main(void)
{
  for (int i = 0; i < N; i++) {
    x[i] = i;
    z[i] = 0.5;
    for (int j = 0; j < N; j++)
      A[i][j] = i == j;
  }
  gemver(1.5, 1.2);
  printf("%.12g %.12g\n", x[3], t[4]);
  return 0;
}
