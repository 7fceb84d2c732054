/* Matrix times vector, row by row: a sum that may not be reordered. */
void matvec(long n, const double a[restrict n][n], const double x[restrict n], double y[restrict n]) {
#pragma omp parallel for
  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++)
      y[j] += a[j][i] * x[i];
}
