/* BLAS axpy. */
void daxpy(long n, double s, const double *restrict x, double *restrict y) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i] += s * x[i];
}
