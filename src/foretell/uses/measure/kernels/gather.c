/* Elements picked by an index array. */
void gather(long n, const int *restrict p, const double x[n], double *restrict y) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i] = x[p[i]];
}
