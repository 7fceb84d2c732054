/* Rank-one update. */
void outer(long n, const double x[restrict n], const double y[restrict n], double a[restrict n][n]) {
#pragma omp parallel for
  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++)
      a[j][i] += x[j] * y[i];
}
