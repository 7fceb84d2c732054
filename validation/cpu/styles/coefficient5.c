/* Five points with a coefficient for each. */
void coefficient5(long n, const double cc[restrict n][n], const double ce[restrict n][n],
                  const double cn[restrict n][n], const double u[restrict n][n], double v[restrict n][n]) {
#pragma omp parallel for
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++)
      v[i][j] = cc[i][j] * u[i][j] + ce[i][j] * u[i][j + 1] + ce[i][j - 1] * u[i][j - 1] + cn[i][j] * u[i + 1][j] +
                cn[i - 1][j] * u[i - 1][j];
}
