/* Casts and mixed types: float and double, integers in floating expressions, integer arrays. */
#include <stdint.h>
#include <stdio.h>
#ifndef N
#define N 18
#endif
static float f[N];
static double d[N];
static int32_t k[N];
static unsigned char mask[N];

static void mixed(int n)
{
  for (int i = 0; i < n; i++) {
    k[i] = (i * 7) % 5;
    mask[i] = (unsigned char)(i & 1);
  }
  for (int i = 0; i < n; i++)
    f[i] = (float)k[i] * 0.5f + (float)i;
  for (int i = 0; i < n; i++)
    d[i] = (double)f[i] * 2 + k[i] / 2;
  for (int i = 0; i < n; i++)
    d[i] = d[i] + mask[i] * f[i];
  for (int i = 0; i < n; i++)
    k[i] = (int)(d[i] * 3.0) + k[i] * 2;
  for (int i = 0; i < n; i++)
    f[i] /= (float)(i + 1);
}

int main(void)
{
  mixed(N);
  printf("%.8g %.12g %d\n", f[5], d[7], k[9]);
  return 0;
}
