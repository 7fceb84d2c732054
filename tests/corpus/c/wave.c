/* Second-order wave equation, three rotating fields and a source at one point. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 14
#endif
#ifndef STEPS
#define STEPS 5
#endif
int main(void)
{
  const int n = N;
  const double c2 = 0.2;
  double *prev = calloc(n * n, sizeof(double)), *cur = calloc(n * n, sizeof(double)), *next = calloc(n * n, sizeof(double));
  for (int t = 0; t < STEPS; ++t) {
    cur[(n / 2) * n + n / 2] += sin(0.1 * t);
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j) {
        double lap = cur[i * n + j - 1] + cur[i * n + j + 1] + cur[(i - 1) * n + j] + cur[(i + 1) * n + j] - 4.0 * cur[i * n + j];
        next[i * n + j] = 2.0 * cur[i * n + j] - prev[i * n + j] + c2 * lap;
      }
    double *old = prev;
    prev = cur;
    cur = next;
    next = old;
  }
  double s = 0.0;
  for (int m = 0; m < n * n; ++m)
    s += cur[m] * cur[m];
  printf("%.12g\n", s);
  free(prev);
  free(cur);
  free(next);
  return 0;
}
