/* Forward substitution. */
void trsv(long n, const double l[restrict n][n], double *restrict x) {
  for (long i = 0; i < n; i++) {
    double s = x[i];
    for (long j = 0; j < i; j++)
      s -= l[i][j] * x[j];
    x[i] = s / l[i][i];
  }
}
