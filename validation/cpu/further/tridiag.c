void tridiag(int n, const double *restrict a, double *restrict b, const double *restrict c, double *restrict d) {
  for (int i = 1; i < n; i++) { double m = a[i] / b[i-1]; b[i] = b[i] - m * c[i-1]; d[i] = d[i] - m * d[i-1]; }
}
