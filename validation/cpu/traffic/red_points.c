/* A row in steps of two, its neighbours above and below. */
void red_points(int n, double u[n][2 * n + 2], double f[n][2 * n + 2]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < 2 * n; j += 2)
      u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
}
