/* Local temporaries and small local arrays, compound assignment, several statements, scalar chains. */
#include <stdio.h>
#ifndef N
#define N 15
#endif
static double q[N][5], r[N][5], w[N];

static void flux(int n)
{
  for (int i = 0; i < n; i++) {
    double v[5], rho, inv, sum = 0.0;
    rho = q[i][0];
    inv = 1.0 / rho;
    for (int m = 0; m < 5; m++)
      v[m] = q[i][m] * inv;
    for (int m = 1; m < 4; m++)
      sum += v[m] * v[m];
    r[i][0] = rho;
    for (int m = 1; m < 5; m++)
      r[i][m] = v[m] * sum - 0.5 * rho;
    w[i] = sum;
    w[i] += rho;
    w[i] *= inv;
    w[i] -= v[4];
    w[i] /= 3.0;
  }
}

int main(void)
{
  for (int i = 0; i < N; i++)
    for (int m = 0; m < 5; m++)
      q[i][m] = 1.0 + 0.1 * m + 0.01 * i;
  flux(N);
  printf("%.12g %.12g\n", r[3][4], w[5]);
  return 0;
}
