/* The place of the largest element. */
long argmax(long n, const double *restrict x) {
  double best = x[0];
  long where = 0;
  for (long i = 1; i < n; i++)
    if (x[i] > best) {
      best = x[i];
      where = i;
    }
  return where;
}
