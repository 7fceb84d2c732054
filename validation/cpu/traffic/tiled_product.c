/* A matrix product in tiles of 16. */
void tiled_product(int n, double a[16 * n][16 * n], double b[16 * n][16 * n], double c[16 * n][16 * n]) {
  for (int ii = 0; ii < n; ii++)
    for (int jj = 0; jj < n; jj++)
      for (int kk = 0; kk < n; kk++)
        for (int i = 16 * ii; i < 16 * ii + 16; i++)
          for (int k = 16 * kk; k < 16 * kk + 16; k++)
            for (int j = 16 * jj; j < 16 * jj + 16; j++)
              c[i][j] += a[i][k] * b[k][j];
}
