void heat3(int n, const double a[restrict n][n][n], double b[restrict n][n][n]) {
  for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++)
    b[i][j][k] = 0.125 * (a[i+1][j][k] - 2.0 * a[i][j][k] + a[i-1][j][k])
               + 0.125 * (a[i][j+1][k] - 2.0 * a[i][j][k] + a[i][j-1][k])
               + 0.125 * (a[i][j][k+1] - 2.0 * a[i][j][k] + a[i][j][k-1]) + a[i][j][k];
}
