/* Three components in, one out. */
void curl(long n, const double ex[restrict n][n][n], const double ey[restrict n][n][n], double h[restrict n][n][n]) {
#pragma omp parallel for
  for (long k = 0; k < n - 1; k++)
    for (long j = 0; j < n - 1; j++)
      for (long i = 0; i < n - 1; i++)
        h[k][j][i] += 0.5 * (ex[k][j + 1][i] - ex[k][j][i]) - 0.5 * (ey[k][j][i + 1] - ey[k][j][i]);
}
