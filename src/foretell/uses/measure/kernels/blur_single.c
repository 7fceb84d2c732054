/* Nine points in single precision. */
void blur_single(long n, const float u[restrict n][n], float v[restrict n][n]) {
#pragma omp parallel for
  for (long j = 1; j < n - 1; j++)
    for (long i = 1; i < n - 1; i++)
      v[j][i] = 0.111f * (u[j - 1][i - 1] + u[j - 1][i] + u[j - 1][i + 1] + u[j][i - 1] + u[j][i]
                         + u[j][i + 1] + u[j + 1][i - 1] + u[j + 1][i] + u[j + 1][i + 1]);
}
