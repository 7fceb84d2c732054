/* Means of neighbours: half as many. */
void halve(long n, const float *restrict x, float *restrict y) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i] = 0.5f * (x[2 * i] + x[2 * i + 1]);
}
