/* Three points in one dimension. */
void heat1d(long n, const double *restrict u, double *restrict v) {
#pragma omp parallel for
  for (long i = 1; i < n - 1; i++)
    v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
}
