/* Fourth order: two neighbours on each side. */
void wide2d(long n, const double u[restrict n][n], double v[restrict n][n]) {
#pragma omp parallel for
  for (long j = 2; j < n - 2; j++)
    for (long i = 2; i < n - 2; i++)
      v[j][i] = 1.33 * (u[j][i - 1] + u[j][i + 1] + u[j - 1][i] + u[j + 1][i])
              - 0.083 * (u[j][i - 2] + u[j][i + 2] + u[j - 2][i] + u[j + 2][i]) - 5.0 * u[j][i];
}
