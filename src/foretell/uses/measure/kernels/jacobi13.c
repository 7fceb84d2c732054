/* Thirteen points in three dimensions. */
void jacobi13(long n, const double u[restrict n][n][n], double v[restrict n][n][n]) {
#pragma omp parallel for
  for (long k = 2; k < n - 2; k++)
    for (long j = 2; j < n - 2; j++)
      for (long i = 2; i < n - 2; i++)
        v[k][j][i] = 0.4 * u[k][j][i] + 0.08 * (u[k][j][i - 1] + u[k][j][i + 1] + u[k][j - 1][i] + u[k][j + 1][i]
                                              + u[k - 1][j][i] + u[k + 1][j][i])
                   + 0.02 * (u[k][j][i - 2] + u[k][j][i + 2] + u[k][j - 2][i] + u[k][j + 2][i]
                             + u[k - 2][j][i] + u[k + 2][j][i]);
}
