/* A matrix and the other one turned. */
void transposed_sum(int n, double a[n][n + 5], double b[n + 5][n + 5], double c[n][n + 5]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = a[i][j] + b[j][i];
}
