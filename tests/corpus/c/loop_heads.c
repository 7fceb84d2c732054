/* Loop heads: <=, !=, downward, strided, counters declared outside, unusual steps. */
#include <stdio.h>
#ifndef N
#define N 24
#endif
double a[N + 1], b[N + 1], c[N + 1];

void heads(int n)
{
  int i;
  for (i = 0; i <= n; i++) a[i] = 1.0 + i;
  for (i = 0; i != n; ++i) b[i] = a[i] * 2.0;
  for (i = n; i >= 0; i--) c[i] = a[i] - 1.0;
  for (i = n - 1; i > 0; --i) b[i] += c[i - 1];
  for (i = 0; i < n; i += 3) a[i] = a[i] + b[i] * c[i];
  for (i = n; i > 1; i -= 2) a[i] -= 0.5 * b[i];
  for (i = 1; n >= i; i = i + 1) c[i] = c[i] * c[i - 1] / 1024.0;
  for (unsigned m = 0; m < (unsigned)n / 2; m++) b[2 * m + 1] = b[2 * m] * 0.5;
  for (long m = n; m--;) a[m] = a[m] + 1.0;
}

int main(void)
{
  heads(N);
  printf("%.12g %.12g %.12g\n", a[N / 2], b[N / 3], c[1]);
  return 0;
}
