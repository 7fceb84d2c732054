/* A polynomial of degree eight. */
void horner(long n, const double *restrict x, double *restrict y) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i] = ((((((((0.1 * x[i] + 0.2) * x[i] + 0.3) * x[i] + 0.4) * x[i] + 0.5) * x[i] + 0.6) * x[i] + 0.7) * x[i] + 0.8) * x[i] + 0.9);
}
