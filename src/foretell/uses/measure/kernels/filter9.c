/* Nine points in one dimension. */
void filter9(long n, const double *restrict u, double *restrict v) {
#pragma omp parallel for
  for (long i = 4; i < n - 4; i++)
    v[i] = 0.05 * (u[i - 4] + u[i + 4]) + 0.1 * (u[i - 3] + u[i + 3]) + 0.12 * (u[i - 2] + u[i + 2])
           + 0.15 * (u[i - 1] + u[i + 1]) + 0.16 * u[i];
}
