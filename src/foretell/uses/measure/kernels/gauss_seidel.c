/* In place, each point after its neighbours. */
void gauss_seidel(long n, double u[restrict n][n]) {
  for (long j = 1; j < n - 1; j++)
    for (long i = 1; i < n - 1; i++)
      u[j][i] = 0.25 * (u[j][i - 1] + u[j][i + 1] + u[j - 1][i] + u[j + 1][i]);
}
