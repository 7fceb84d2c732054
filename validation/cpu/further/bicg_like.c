void bicg_like(int n, const double a[restrict n][n], double *restrict s, double *restrict q, const double *restrict p, const double *restrict r) {
  for (int i = 0; i < n; i++) s[i] = 0;
  for (int i = 0; i < n; i++) {
    q[i] = 0;
    for (int j = 0; j < n; j++) {
      s[j] = s[j] + r[i] * a[i][j];
      q[i] = q[i] + a[i][j] * p[j];
    }
  }
}
