/* Loops left early: break on data, continue, return from inside; a convergence loop. */
#include <math.h>
#include <stdio.h>
#ifndef N
#define N 40
#endif
static double v[N], w[N];

static int find(double x)
{
  for (int i = 0; i < N; i++)
    if (v[i] >= x)
      return i;
  return -1;
}

static void skip(void)
{
  for (int i = 0; i < N; i++) {
    if (i % 4 == 0)
      continue;
    w[i] = v[i] * 2.0;
  }
}

static int converge(double tol)
{
  int it;
  for (it = 0; it < 50; it++) {
    double change = 0.0;
    for (int i = 1; i < N - 1; i++) {
      double old = w[i];
      w[i] = 0.5 * (w[i - 1] + w[i + 1]);
      change += fabs(w[i] - old);
    }
    if (change < tol)
      break;
  }
  return it;
}

int main(void)
{
  for (int i = 0; i < N; i++)
    v[i] = 0.5 * i;
  skip();
  int at = find(7.25), steps = converge(1.0);
  printf("%d %d %.12g\n", at, steps, w[11]);
  return 0;
}
