/* A reduction down columns, rows outside. */
void column_sums(int n, double a[n][n], double total[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      total[j] += a[i][j];
}
