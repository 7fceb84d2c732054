/* Triangular nests: LU and Cholesky without pivoting, forward substitution. */
#include <math.h>
#include <stdio.h>
#ifndef N
#define N 11
#endif
static double a[N][N], l[N][N], b[N], x[N];

static void init(void)
{
  int i, j;
  for (i = 0; i < N; i++) {
    b[i] = i;
    for (j = 0; j <= i; j++) {
      a[i][j] = 1.0 / (i + j + 1);
      a[j][i] = a[i][j];
    }
    a[i][i] = a[i][i] + N;
  }
}

static void cholesky(void)
{
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      double s = a[i][j];
      for (int k = 0; k < j; k++)
        s -= l[i][k] * l[j][k];
      l[i][j] = s / l[j][j];
    }
    double d = a[i][i];
    for (int k = 0; k < i; k++)
      d -= l[i][k] * l[i][k];
    l[i][i] = sqrt(d);
  }
}

static void lu(void)
{
  for (int k = 0; k < N - 1; k++) {
    for (int i = k + 1; i < N; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < N; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
  }
}

static void solve(void)
{
  for (int i = 0; i < N; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= a[i][j] * x[j];
  }
}

int main(void)
{
  init();
  cholesky();
  lu();
  solve();
  printf("%.12g %.12g %.12g\n", l[N - 1][N - 1], a[N - 1][N - 1], x[N - 1]);
  return 0;
}
