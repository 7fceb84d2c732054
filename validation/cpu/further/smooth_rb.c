void smooth_rb(int n, double u[restrict n][n], const double f[restrict n][n]) {
  for (int i = 1; i < n - 1; i++) for (int j = 1 + (i & 1); j < n - 1; j += 2)
    u[i][j] = 0.25 * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1] - f[i][j]);
}
