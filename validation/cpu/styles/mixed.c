/* Single-precision data, added up in double. */
void mixed(long n, double s, const float *restrict x, double *restrict y) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i] += s * (double)x[i];
}
