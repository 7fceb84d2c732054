/* Two scaled vectors, in place. */
void axpby(long n, float a, float b, const float *restrict x, float *restrict y) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i] = a * x[i] + b * y[i];
}
