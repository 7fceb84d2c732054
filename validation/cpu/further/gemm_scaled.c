void gemm_scaled(int n, double alpha, double beta, double c[n][n], const double a[n][n], const double b[n][n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) c[i][j] *= beta;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) c[i][j] += alpha * a[i][k] * b[k][j];
  }
}
