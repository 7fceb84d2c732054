/* A transposed matrix times a vector, row after row. */
void gemv_t(long n, const double a[restrict n][n], const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      y[j] += a[i][j] * x[i];
}
