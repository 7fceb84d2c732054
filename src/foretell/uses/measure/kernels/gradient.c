/* Two arrays out. */
void gradient(long n, const double u[restrict n][n], double gx[restrict n][n], double gy[restrict n][n]) {
#pragma omp parallel for
  for (long j = 1; j < n - 1; j++)
    for (long i = 1; i < n - 1; i++)
      {
        gx[j][i] = 0.5 * (u[j][i + 1] - u[j][i - 1]);
        gy[j][i] = 0.5 * (u[j + 1][i] - u[j - 1][i]);
      }
}
