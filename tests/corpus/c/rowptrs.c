/* Pointers to rows (double **), transposed products, a symmetric update. */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 10
#endif
static double **matrix(int rows, int cols)
{
  double **m = malloc(rows * sizeof *m);
  m[0] = calloc((size_t)rows * cols, sizeof **m);
  for (int i = 1; i < rows; i++)
    m[i] = m[0] + i * cols;
  return m;
}

static void syrk(double **c, double **a, int n, int k)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int l = 0; l < k; l++)
        sum += a[i][l] * a[j][l];
      c[i][j] = sum;
      c[j][i] = sum;
    }
}

int main(void)
{
  double **a = matrix(N, N + 2), **c = matrix(N, N);
  for (int i = 0; i < N; i++)
    for (int l = 0; l < N + 2; l++)
      a[i][l] = i - 0.5 * l;
  syrk(c, a, N, N + 2);
  printf("%.12g\n", c[N - 1][2]);
  free(a[0]);
  free(a);
  free(c[0]);
  free(c);
  return 0;
}
