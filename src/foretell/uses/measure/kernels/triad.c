/* STREAM triad. */
void triad(long n, double s, const double *restrict b, const double *restrict c, double *restrict a) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = b[i] + s * c[i];
}
