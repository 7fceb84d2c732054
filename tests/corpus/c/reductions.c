/* Reductions: dot product, norm, extrema, sums along a dimension, a running sum. */
#include <math.h>
#include <stdio.h>
#ifndef N
#define N 17
#endif
static double a[N], b[N], m[N][N], cs[N];

static double dot(const double *u, const double *v, int n)
{
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += u[i] * v[i];
  return s;
}

static double norm(const double *u, int n)
{
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s = s + u[i] * u[i];
  return sqrt(s);
}

static double largest(const double *u, int n)
{
  double best = u[0];
  for (int i = 1; i < n; i++)
    best = fmax(best, fabs(u[i]));
  return best;
}

static void columns(void)
{
  for (int j = 0; j < N; j++)
    cs[j] = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      cs[j] += m[i][j];
  for (int j = 1; j < N; j++)
    cs[j] = cs[j] + cs[j - 1];
}

int main(void)
{
  for (int i = 0; i < N; i++) {
    a[i] = 0.5 * i;
    b[i] = 1.0 - i;
    for (int j = 0; j < N; j++)
      m[i][j] = i + j;
  }
  columns();
  double product = dot(a, b, N), length = norm(a, N), top = largest(b, N);
  printf("%.12g %.12g %.12g %.12g\n", product, length, top, cs[N - 1]);
  return 0;
}
