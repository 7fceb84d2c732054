/* STREAM scale. */
void scale(long n, double s, const double *restrict b, double *restrict a) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = s * b[i];
}
