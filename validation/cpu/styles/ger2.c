/* A rank-2 update. */
void ger2(long n, const double *restrict x, const double *restrict y, const double *restrict u,
          const double *restrict v, double a[restrict n][n]) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i][j] += x[i] * y[j] + u[i] * v[j];
}
