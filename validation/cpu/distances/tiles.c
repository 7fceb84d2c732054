/* Product of tiles of 32 rows and columns. */
void tiles(long n, const double a[restrict n][n], const double b[restrict n][n], double c[restrict n][n]) {
  for (long ii = 0; ii < n; ii += 32)
    for (long kk = 0; kk < n; kk += 32)
      for (long i = ii; i < ii + 32; i++)
        for (long k = kk; k < kk + 32; k++)
          for (long j = 0; j < n; j++)
            c[i][j] += a[i][k] * b[k][j];
}
