/* A sum that the compiler may not reorder: one addition waits for the other. */
double dot(long n, const double *restrict a, const double *restrict b) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}
