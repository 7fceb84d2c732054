/* 7-point Jacobi sweep, variable-length array parameters. */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 9
#endif
static void sweep(int nz, int ny, int nx, double u[nz + 2][ny + 2][nx + 2], double un[nz + 2][ny + 2][nx + 2])
{
  for (int k = 1; k <= nz; k++)
    for (int j = 1; j <= ny; j++)
      for (int i = 1; i <= nx; i++)
        un[k][j][i] = (u[k - 1][j][i] + u[k][j - 1][i] + u[k][j][i - 1] + u[k][j][i + 1] + u[k][j + 1][i] +
                       u[k + 1][j][i]) / 6.0;
}

int main(void)
{
  int nx = N, ny = N - 1, nz = N - 2;
  double (*u)[ny + 2][nx + 2] = malloc(sizeof(double[nz + 2][ny + 2][nx + 2]));
  double (*un)[ny + 2][nx + 2] = malloc(sizeof(double[nz + 2][ny + 2][nx + 2]));
  for (int k = 0; k < nz + 2; ++k)
    for (int j = 0; j < ny + 2; ++j)
      for (int i = 0; i < nx + 2; ++i)
        u[k][j][i] = (double)(i * j) / (k + 1);
  sweep(nz, ny, nx, u, un);
  printf("%.12g %.12g\n", un[1][1][1], un[nz][ny][nx]);
  free(u);
  free(un);
  return 0;
}
