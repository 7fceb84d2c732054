/* The largest element of each row is taken off it. */
void row_shift(long n, double a[restrict n][n]) {
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    double top = a[i][0];
    for (long j = 1; j < n; j++)
      top = a[i][j] > top ? a[i][j] : top;
    for (long j = 0; j < n; j++)
      a[i][j] -= top;
  }
}
