/* A tridiagonal sweep along the slowest axis, which is the innermost loop. */
void line_in_z(int n, double u[n][n][n + 3], double c[n][n][n + 3]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      for (int k = 1; k < n; k++)
        u[k][j][i] -= c[k][j][i] * u[k - 1][j][i];
}
