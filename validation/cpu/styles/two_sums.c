/* A dot product and a norm in one go. */
double two_sums(long n, const double *restrict x, const double *restrict y) {
  double s = 0.0, q = 0.0;
#pragma omp parallel for reduction(+ : s, q)
  for (long i = 0; i < n; i++) {
    s += x[i] * y[i];
    q += x[i] * x[i];
  }
  return s / q;
}
