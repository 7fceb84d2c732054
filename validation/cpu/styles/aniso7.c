/* Seven points, single precision, other weights along each axis. */
void aniso7(long n, float cx, float cy, float cz, const float u[restrict n][n][n], float v[restrict n][n][n]) {
#pragma omp parallel for
  for (long k = 1; k < n - 1; k++)
    for (long j = 1; j < n - 1; j++)
      for (long i = 1; i < n - 1; i++)
        v[k][j][i] = u[k][j][i] + cx * (u[k][j][i + 1] - 2.0f * u[k][j][i] + u[k][j][i - 1]) +
                     cy * (u[k][j + 1][i] - 2.0f * u[k][j][i] + u[k][j - 1][i]) +
                     cz * (u[k + 1][j][i] - 2.0f * u[k][j][i] + u[k - 1][j][i]);
}
