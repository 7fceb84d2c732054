/* A leapfrog step: three arrays, one of them read and written. */
void wave2d(long n, const double u[restrict n][n], const double c[restrict n][n], double w[restrict n][n]) {
#pragma omp parallel for
  for (long j = 1; j < n - 1; j++)
    for (long i = 1; i < n - 1; i++)
      w[j][i] = 2.0 * u[j][i] - w[j][i]
              + c[j][i] * (u[j][i - 1] + u[j][i + 1] + u[j - 1][i] + u[j + 1][i] - 4.0 * u[j][i]);
}
