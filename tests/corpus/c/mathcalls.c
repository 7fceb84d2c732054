/* Math functions, counted by kind; fabs, min and max forms. */
#include <math.h>
#include <stdio.h>
#ifndef N
#define N 25
#endif
static double x[N], y[N], z[N];

static void kinds(int n)
{
  for (int i = 0; i < n; i++)
    y[i] = sqrt(x[i]) + exp(-x[i]) * log(1.0 + x[i]);
  for (int i = 0; i < n; i++)
    z[i] = sin(x[i]) * sin(x[i]) + cos(y[i]) + pow(x[i], 1.5);
  for (int i = 0; i < n; i++)
    z[i] = fmax(fabs(z[i]), fmin(y[i], 1.0 / sqrt(1.0 + x[i] * x[i])));
  for (int i = 0; i < n; i++)
    y[i] = fma(x[i], y[i], z[i]) / (1.0 + tanh(x[i]));
}

int main(void)
{
  for (int i = 0; i < N; i++)
    x[i] = 0.1 * i;
  kinds(N);
  printf("%.10g %.10g\n", y[7], z[9]);
  return 0;
}
