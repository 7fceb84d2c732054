/* Transposed matrix times vector: the result is updated again and again. */
void matvec_columns(long n, const double a[restrict n][n], const double x[restrict n], double y[restrict n]) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++)
      y[i] += a[j][i] * x[j];
}
