/* A symmetric matrix, of which the lower half is stored, times a vector. */
void symv(long n, const double a[restrict n][n], const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 0.0;
    for (long j = 0; j < i; j++) {
      y[j] += a[i][j] * x[i];
      s += a[i][j] * x[j];
    }
    y[i] += s + a[i][i] * x[i];
  }
}
