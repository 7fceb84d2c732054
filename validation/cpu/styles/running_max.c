/* The largest element so far. */
void running_max(long n, const double *restrict x, double *restrict y) {
  double top = x[0];
  for (long i = 0; i < n; i++) {
    top = x[i] > top ? x[i] : top;
    y[i] = top;
  }
}
