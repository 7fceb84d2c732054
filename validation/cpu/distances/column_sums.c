/* Sums down the columns of a matrix. */
void column_sums(long n, const double a[restrict n][n], double s[restrict n]) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++)
      s[j] += a[i][j];
}
