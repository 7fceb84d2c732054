/* Single to double precision. */
void convert(long n, const float *restrict b, double *restrict a) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = b[i];
}
