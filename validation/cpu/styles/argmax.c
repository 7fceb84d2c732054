/* The largest element and its place. */
void argmax(long n, const double *restrict x, double *restrict r) {
  double best = x[0];
  long where = 0;
  for (long i = 1; i < n; i++)
    if (x[i] > best) {
      best = x[i];
      where = i;
    }
  r[0] = best;
  r[1] = (double)where;
}
