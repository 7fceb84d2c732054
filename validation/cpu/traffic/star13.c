/* Three dimensions, radius 4 along one axis at a time. */
void star13(int n, double u[n][n][n], double v[n][n][n]) {
  for (int k = 4; k < n - 4; k++)
    for (int j = 4; j < n - 4; j++)
      for (int i = 4; i < n - 4; i++)
        v[k][j][i] = u[k][j][i] + u[k - 4][j][i] + u[k + 4][j][i] + u[k - 2][j][i] + u[k + 2][j][i]
                   + u[k][j - 4][i] + u[k][j + 4][i] + u[k][j - 2][i] + u[k][j + 2][i]
                   + u[k][j][i - 4] + u[k][j][i + 4] + u[k][j][i - 2] + u[k][j][i + 2];
}
