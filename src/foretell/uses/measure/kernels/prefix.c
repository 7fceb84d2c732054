/* A recurrence: no loop to run in parallel. */
void prefix(long n, const double *restrict b, double *restrict a) {
  for (long i = 1; i < n; i++)
    a[i] = a[i - 1] + b[i];
}
