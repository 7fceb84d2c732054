/* Matrix times vector, rows by pointers. */
void rows_by_pointers(long n, double **a, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (long j = 0; j < n; j++)
      s += a[i][j] * x[j];
    y[i] = s;
  }
}
