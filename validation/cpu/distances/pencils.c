/* Differences along the slowest axis of a cube, pencil by pencil. */
void pencils(long n, const double a[restrict n][n][n], double d[restrict n][n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 1; k < n; k++)
        d[i][j] += (a[k][i][j] - a[k - 1][i][j]) * (a[k][i][j] - a[k - 1][i][j]);
}
