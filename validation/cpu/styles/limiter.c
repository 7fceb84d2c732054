/* Slopes with a limiter, which is a small function. */
static double smaller(double a, double b) {
  double x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  return a * b <= 0 ? 0.0 : x < y ? a : b;
}
void limiter(long n, const double *restrict u, double *restrict s) {
#pragma omp parallel for
  for (long i = 1; i < n - 1; i++)
    s[i] = smaller(u[i] - u[i - 1], u[i + 1] - u[i]);
}
