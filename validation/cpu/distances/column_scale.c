/* Columns multiplied by a number each, from top to bottom. */
void column_scale(long n, double a[restrict n][n], const double x[restrict n]) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++)
      a[i][j] *= x[j];
}
