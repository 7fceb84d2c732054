void syrk_like(int n, double alpha, double c[restrict n][n], const double a[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j <= i; j++) c[i][j] += alpha * a[i][k] * a[j][k];
}
