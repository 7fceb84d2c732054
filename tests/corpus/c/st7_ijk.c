/* 7-point Jacobi sweep, `ijk` computed first and neighbours by stride. */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 8
#endif
typedef double real;

static void sweep(real *un, const real *u, int nx, int ny, int nz)
{
  const int jStride = nx + 2;
  const int kStride = jStride * (ny + 2);
  int i, j, k;
  for (k = 1; k <= nz; k++) {
    for (j = 1; j <= ny; j++) {
      for (i = 1; i <= nx; i++) {
        const int ijk = i + j * jStride + k * kStride;
        un[ijk] = (u[ijk - kStride] + u[ijk - jStride] + u[ijk - 1] + u[ijk + 1] + u[ijk + jStride] +
                   u[ijk + kStride]) / 6.0;
      }
    }
  }
}

int main(void)
{
  int nx = N, ny = N, nz = N, total = (nx + 2) * (ny + 2) * (nz + 2), n;
  real *u = (real *)malloc(sizeof(real) * total);
  real *un = (real *)calloc(total, sizeof(real));
  for (n = 0; n < total; n++)
    u[n] = 0.5 * n;
  sweep(un, u, nx, ny, nz);
  printf("%.12g\n", un[total / 2]);
  free(u);
  free(un);
  return 0;
}
