/* 7-point Jacobi sweep, Horner indexing macro. */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 7
#endif
#define IDX(i, j, k) (((k) * (ny + 2) + (j)) * (nx + 2) + (i))
#define U(i, j, k) u[IDX(i, j, k)]
#define UN(i, j, k) un[IDX(i, j, k)]

void sweep(int nx, int ny, int nz, const double *u, double *un)
{
  for (int k = 1; k <= nz; k++)
    for (int j = 1; j <= ny; j++)
      for (int i = 1; i <= nx; i++)
        UN(i, j, k) = (U(i, j, k - 1) + U(i, j - 1, k) + U(i - 1, j, k) + U(i + 1, j, k) + U(i, j + 1, k) +
                       U(i, j, k + 1)) / 6.0;
}

int main(void)
{
  int nx = N + 3, ny = N, nz = N - 1;
  size_t total = (size_t)(nx + 2) * (ny + 2) * (nz + 2);
  double *u = malloc(total * sizeof(double));
  double *un = calloc(total, sizeof(double));
  for (size_t n = 0; n < total; n++)
    u[n] = n % 7;
  sweep(nx, ny, nz, u, un);
  printf("%.12g\n", un[total / 2]);
  free(u);
  free(un);
  return 0;
}
