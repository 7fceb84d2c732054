/* BLAS axpy in single precision. */
void saxpy(long n, float s, const float *restrict x, float *restrict y) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i] += s * x[i];
}
