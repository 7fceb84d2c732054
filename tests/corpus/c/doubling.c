/* Geometric loops: a step that multiplies, a halving loop, a reduction tree. */
#include <stdio.h>
#ifndef N
#define N 64
#endif
static double a[N], b[N];

static void tree(int n)
{
  for (int stride = 1; stride < n; stride *= 2)
    for (int i = 0; i + stride < n; i += 2 * stride)
      a[i] = a[i] + a[i + stride];
}

static void halving(int n)
{
  for (int len = n; len > 1; len >>= 1) {
    int half = len / 2;
    for (int i = 0; i < half; i++)
      b[i] = 0.5 * (b[2 * i] + b[2 * i + 1]);
  }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    a[i] = b[i] = i;
  tree(N);
  halving(N);
  printf("%.12g %.12g\n", a[0], b[0]);
  return 0;
}
