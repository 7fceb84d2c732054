/* A Poisson-form operator behind a macro: differences weighted by face coefficients, centre read six times. */
#include <stdio.h>
#ifndef DIM
#define DIM 7
#endif
#define S (DIM + 2)
static double x[S][S][S], rhs[S][S][S], res[S][S][S], bi[S][S][S], bj[S][S][S], bk[S][S][S];
#define apply_op(v)                                                                                          \
  (-b * h2inv * (bi[k][j][i + 1] * (v[k][j][i + 1] - v[k][j][i]) + bi[k][j][i] * (v[k][j][i - 1] - v[k][j][i]) + \
                 bj[k][j + 1][i] * (v[k][j + 1][i] - v[k][j][i]) + bj[k][j][i] * (v[k][j - 1][i] - v[k][j][i]) + \
                 bk[k + 1][j][i] * (v[k + 1][j][i] - v[k][j][i]) + bk[k][j][i] * (v[k - 1][j][i] - v[k][j][i])))

static void residual(double b, double h2inv)
{
  for (int k = 1; k <= DIM; k++)
    for (int j = 1; j <= DIM; j++)
      for (int i = 1; i <= DIM; i++)
        res[k][j][i] = rhs[k][j][i] - apply_op(x);
}

int main(void)
{
  for (int k = 0; k < S; k++)
    for (int j = 0; j < S; j++)
      for (int i = 0; i < S; i++) {
        x[k][j][i] = i * j + k;
        rhs[k][j][i] = 1.0;
        bi[k][j][i] = bj[k][j][i] = bk[k][j][i] = 1.0 + 0.1 * i;
      }
  residual(1.0, 16.0);
  printf("%.12g\n", res[2][3][4]);
  return 0;
}
