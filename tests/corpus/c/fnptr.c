/* Function pointers and callbacks whose target is static. */
#include <stdio.h>
#ifndef N
#define N 12
#endif
static double u[N], v[N];
typedef double (*kernel)(double, double);

static double blend(double a, double b) { return 0.75 * a + 0.25 * b; }
static double product(double a, double b) { return a * b; }

static void apply(kernel f, double *restrict out, const double *restrict in, int n)
{
  for (int i = 1; i < n; i++)
    out[i] = f(in[i - 1], in[i]);
}

struct operations { void (*sweep)(double *, int); double scale; };
static void halve(double *x, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 0.5;
}
static const struct operations ops = {halve, 2.0};

int main(void)
{
  for (int i = 0; i < N; i++)
    u[i] = i;
  apply(blend, v, u, N);
  apply(product, u, v, N);
  ops.sweep(v, N);
  printf("%.12g %.12g\n", u[5], v[6]);
  return 0;
}
