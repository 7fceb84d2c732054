/* Seven points in three dimensions. */
void jacobi7(long n, const double u[restrict n][n][n], double v[restrict n][n][n]) {
#pragma omp parallel for
  for (long k = 1; k < n - 1; k++)
    for (long j = 1; j < n - 1; j++)
      for (long i = 1; i < n - 1; i++)
        v[k][j][i] = 0.4 * u[k][j][i] + 0.1 * (u[k][j][i - 1] + u[k][j][i + 1] + u[k][j - 1][i] + u[k][j + 1][i]
                                             + u[k - 1][j][i] + u[k + 1][j][i]);
}
