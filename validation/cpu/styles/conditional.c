/* Updates where a mask allows them. */
void conditional(long n, const double *restrict m, const double *restrict x, double *restrict y) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    if (m[i] > 0.0)
      y[i] += m[i] * x[i];
}
