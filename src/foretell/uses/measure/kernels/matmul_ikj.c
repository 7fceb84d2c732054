/* Matrix product, loops in the order ikj. */
void matmul_ikj(long n, const double a[restrict n][n], const double b[restrict n][n], double c[restrict n][n]) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        c[i][j] += a[i][k] * b[k][j];
}
