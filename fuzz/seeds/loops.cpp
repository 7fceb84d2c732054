extern "C" double run(const double *x, double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) { if (x[i] > 0.5) y[i] = x[i] * 2; sum += x[i] / (1 + y[i]); }
  for (int s = 1; s < n; s *= 2) for (int i = 0; i + s < n; i += 2 * s) y[i] += y[i + s];
  int k = n; while (k & 7) --k;
  switch (k & 3) { case 0: return sum; case 1: sum += y[0]; break; default: sum -= y[1]; }
  return sum;
}
