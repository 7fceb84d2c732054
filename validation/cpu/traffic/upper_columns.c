/* A triangle down its columns. */
void upper_columns(int n, double u[n][n], double s[n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++)
      s[j] += u[i][j];
}
