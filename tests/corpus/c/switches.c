/* switch inside and outside loops; a branch on a parameter that is a constant at the call. */
#include <stdio.h>
#ifndef N
#define N 15
#endif
enum op { SCALE, SHIFT, SQUARE };
static double x[N], y[N];

static void apply(enum op what, int n)
{
  switch (what) {
  case SCALE:
    for (int i = 0; i < n; i++)
      x[i] = x[i] * 3.0;
    break;
  case SHIFT:
    for (int i = 0; i < n; i++)
      x[i] = x[i] + 1.0;
    break;
  default:
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i] + x[i];
  }
}

static void inside(int n)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      switch (k) {
      case 0: y[i] = x[i]; break;
      case 1: y[i] += 2.0 * x[i]; break;
      default: y[i] -= x[i] * x[i]; break;
      }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    x[i] = 0.1 * i;
  apply(SCALE, N);
  apply(SHIFT, N);
  apply(SQUARE, N);
  inside(N);
  printf("%.12g %.12g\n", x[3], y[4]);
  return 0;
}
