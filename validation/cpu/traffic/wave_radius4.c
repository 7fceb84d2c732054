/* A wave equation: radius 4, three time levels and a speed. */
void wave_radius4(int n, double p[n][n][n], double q[n][n][n], double speed[n][n][n]) {
  for (int k = 4; k < n - 4; k++)
    for (int j = 4; j < n - 4; j++)
      for (int i = 4; i < n - 4; i++)
        q[k][j][i] = 2.0 * p[k][j][i] - q[k][j][i]
                   + speed[k][j][i] * (p[k - 4][j][i] + p[k - 3][j][i] + p[k - 2][j][i] + p[k - 1][j][i]
                   + p[k + 1][j][i] + p[k + 2][j][i] + p[k + 3][j][i] + p[k + 4][j][i]);
}
