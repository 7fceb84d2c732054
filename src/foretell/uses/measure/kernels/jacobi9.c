/* Nine points in two dimensions. */
void jacobi9(long n, const double u[restrict n][n], double v[restrict n][n]) {
#pragma omp parallel for
  for (long j = 1; j < n - 1; j++)
    for (long i = 1; i < n - 1; i++)
      v[j][i] = 0.2 * u[j][i] + 0.15 * (u[j][i - 1] + u[j][i + 1] + u[j - 1][i] + u[j + 1][i])
              + 0.05 * (u[j - 1][i - 1] + u[j - 1][i + 1] + u[j + 1][i - 1] + u[j + 1][i + 1]);
}
