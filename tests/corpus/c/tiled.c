/* Tiled matrix product with min bounds: macro, ternary and inline function; sizes that the tile does not divide. */
#include <stdio.h>
#ifndef N
#define N 21
#endif
#define T 8
#define MIN(a, b) ((a) < (b) ? (a) : (b))
static double A[N][N], B[N][N], C[N][N], D[N][N];

static inline int imin(int a, int b) { return a < b ? a : b; }

static void product(void)
{
  for (int ii = 0; ii < N; ii += T)
    for (int jj = 0; jj < N; jj += T)
      for (int kk = 0; kk < N; kk += T)
        for (int i = ii; i < MIN(ii + T, N); i++)
          for (int j = jj; j < MIN(jj + T, N); j++)
            for (int k = kk; k < MIN(kk + T, N); k++)
              C[i][j] += A[i][k] * B[k][j];
}

static void transpose(int n)
{
  for (int ii = 0; ii < n; ii += T)
    for (int jj = 0; jj < n; jj += T) {
      int ihi = imin(ii + T, n);
      int jhi = jj + T;
      if (jhi > n) jhi = n;
      for (int i = ii; i < ihi; i++)
        for (int j = jj; j < jhi; j++)
          D[j][i] = C[i][j];
    }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = i - j;
      B[i][j] = i * j % 5;
      C[i][j] = 0.0;
    }
  product();
  transpose(N);
  printf("%.12g %.12g\n", C[3][4], D[N - 1][0]);
  return 0;
}
