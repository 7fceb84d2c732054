/* Three components of a field in one array. */
void planes_of_three(int n, double f[3][n][n], double d[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      d[i][j] = f[0][i][j + 1] - f[0][i][j - 1] + f[1][i + 1][j] - f[1][i - 1][j] + f[2][i][j];
}
