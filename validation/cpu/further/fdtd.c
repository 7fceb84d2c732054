void fdtd(int n, double ex[restrict n][n], double ey[restrict n][n], double hz[restrict n][n]) {
  for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i-1][j]);
  for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j-1]);
  for (int i = 0; i < n - 1; i++) for (int j = 0; j < n - 1; j++)
    hz[i][j] = hz[i][j] - 0.7 * (ex[i][j+1] - ex[i][j] + ey[i+1][j] - ey[i][j]);
}
