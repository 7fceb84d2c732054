/* From the end to the beginning. */
void backwards(long n, double s, const double *restrict x, double *restrict y) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i] = s * x[n - 1 - i];
}
