/* Three arrays in, one out. */
void schoenauer(long n, const double *restrict b, const double *restrict c, const double *restrict d, double *restrict a) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = b[i] + c[i] * d[i];
}
