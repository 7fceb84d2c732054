/* Four sums side by side. */
double dot4(long n, const double *restrict a, const double *restrict b) {
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
#pragma omp parallel for reduction(+ : s0, s1, s2, s3)
  for (long i = 0; i < n; i++) {
    s0 += a[4 * i] * b[4 * i];
    s1 += a[4 * i + 1] * b[4 * i + 1];
    s2 += a[4 * i + 2] * b[4 * i + 2];
    s3 += a[4 * i + 3] * b[4 * i + 3];
  }
  return s0 + s1 + s2 + s3;
}
