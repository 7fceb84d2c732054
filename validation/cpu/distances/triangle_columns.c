/* Lower triangle, column by column. */
void triangle_columns(long n, const double a[restrict n][n], const double x[restrict n], double y[restrict n]) {
  for (long j = 0; j < n; j++)
    for (long i = j; i < n; i++)
      y[i] += a[i][j] * x[j];
}
