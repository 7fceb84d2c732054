/* A recurrence down columns, columns outside. */
void column_sweep(int n, double x[n][n + 3], double w[n][n + 3]) {
  for (int j = 0; j < n; j++)
    for (int i = 1; i < n; i++)
      x[i][j] = x[i][j] - w[i][j] * x[i - 1][j];
}
