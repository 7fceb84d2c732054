/* Stores only. */
void fill(long n, double s, double *restrict a) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = s;
}
