/* A recursive filter of second order. */
void biquad(long n, double b0, double b1, double b2, double a1, double a2, const double *restrict x,
            double *restrict y) {
  for (long i = 2; i < n; i++)
    y[i] = b0 * x[i] + b1 * x[i - 1] + b2 * x[i - 2] - a1 * y[i - 1] - a2 * y[i - 2];
}
