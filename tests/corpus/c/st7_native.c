/* 7-point Jacobi sweep, native three-dimensional arrays. */
#include <stdio.h>
#ifndef NX
#define NX 10
#endif
#ifndef NY
#define NY 9
#endif
#ifndef NZ
#define NZ 8
#endif
static double u[NZ + 2][NY + 2][NX + 2], un[NZ + 2][NY + 2][NX + 2];

static void fill(void)
{
  int i, j, k;
  for (k = 0; k < NZ + 2; k++)
    for (j = 0; j < NY + 2; j++)
      for (i = 0; i < NX + 2; i++)
        u[k][j][i] = 0.25 * i + 0.5 * j - 0.125 * k;
}

static void sweep(void)
{
  int i, j, k;
  for (k = 1; k <= NZ; k++)
    for (j = 1; j <= NY; j++)
      for (i = 1; i <= NX; i++)
        un[k][j][i] = (u[k - 1][j][i] + u[k][j - 1][i] + u[k][j][i - 1] + u[k][j][i + 1] + u[k][j + 1][i] +
                       u[k + 1][j][i]) / 6.0;
}

int main(void)
{
  fill();
  sweep();
  printf("%.12g %.12g\n", un[1][1][1], un[NZ][NY][NX]);
  return 0;
}
