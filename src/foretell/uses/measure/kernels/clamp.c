/* A choice for each element. */
void clamp(long n, double lo, const double *restrict b, double *restrict a) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = b[i] > lo ? b[i] : lo;
}
