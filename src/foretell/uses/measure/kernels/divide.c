/* A division for each element. */
void divide(long n, const double *restrict b, const double *restrict c, double *restrict a) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = b[i] / c[i];
}
