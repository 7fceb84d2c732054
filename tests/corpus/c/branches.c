/* if/else and ternaries: decided by loop variables (exact) and by data (probability or range). */
#include <stdio.h>
#ifndef N
#define N 20
#endif
static double a[N][N], b[N][N], c[N];

static void by_index(int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i == 0 || j == 0 || i == n - 1 || j == n - 1)
        b[i][j] = a[i][j];
      else
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (j > i)
        a[i][j] = b[i][j] + 1.0;
}

static void by_ternary(int n)
{
  for (int i = 0; i < n; i++) {
    double left = i > 0 ? c[i - 1] : 0.0;
    double right = i < n - 1 ? c[i + 1] : 0.0;
    b[0][i] = left + right;
  }
}

static void by_data(int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (a[i][j] > 0.5)
        b[i][j] = a[i][j] * 2.0 + 1.0;
      else
        b[i][j] = a[i][j] * 3.0 - 1.0;
    }
}

static void upwind(int n)
{
  for (int i = 1; i < n - 1; i++)
    c[i] = c[i] - (b[1][i] > 0.0 ? b[1][i] * (c[i] - c[i - 1]) : b[1][i] * (c[i + 1] - c[i]));
}

int main(void)
{
  for (int i = 0; i < N; i++) {
    c[i] = 0.1 * i;
    for (int j = 0; j < N; j++)
      a[i][j] = (i * j) % 2;
  }
  by_index(N);
  by_ternary(N);
  by_data(N);
  upwind(N);
  printf("%.12g %.12g\n", b[3][4], c[5]);
  return 0;
}
