/* A transposition in tiles of 8, rows that are no power of two. */
void tiled_transpose(int n, double a[8 * n + 5][8 * n + 5], double b[8 * n + 5][8 * n + 5]) {
  for (int ii = 0; ii < n; ii++)
    for (int jj = 0; jj < n; jj++)
      for (int i = 8 * ii; i < 8 * ii + 8; i++)
        for (int j = 8 * jj; j < 8 * jj + 8; j++)
          b[j][i] = a[i][j];
}
