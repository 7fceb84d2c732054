/* Columns in, rows out. */
void columns_in(long n, const float a[restrict n][n], float b[restrict n][n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      b[i][j] = 2.0f * a[j][i];
}
