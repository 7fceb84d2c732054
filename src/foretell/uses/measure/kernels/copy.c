/* One array to another. */
void copy(long n, const double *restrict b, double *restrict a) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = b[i];
}
