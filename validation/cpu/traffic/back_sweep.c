/* Down from the last row and the last column. */
void back_sweep(int n, double a[n][n], double b[n][n]) {
  for (int i = n - 2; i >= 0; i--)
    for (int j = n - 2; j >= 0; j--)
      b[i][j] = a[i][j] + a[i + 1][j] + a[i][j + 1];
}
