/* 7-point Jacobi sweep, flattened subscripts with stride variables. */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 8
#endif
void sweep(const double *restrict u, double *restrict un, int nx, int ny, int nz, int jStride, int kStride)
{
  int i, j, k;
  for (k = 1; k < nz + 1; k++) {
    for (j = 1; j < ny + 1; j++) {
      for (i = 1; i < nx + 1; i++) {
        un[i + j * jStride + k * kStride] =
            (u[i + j * jStride + (k - 1) * kStride] + u[i + (j - 1) * jStride + k * kStride] +
             u[i - 1 + j * jStride + k * kStride] + u[i + 1 + j * jStride + k * kStride] +
             u[i + (j + 1) * jStride + k * kStride] + u[i + j * jStride + (k + 1) * kStride]) / 6.0;
      }
    }
  }
}

int main(void)
{
  const int nx = N, ny = N + 1, nz = N + 2;
  const int js = nx + 2, ks = (nx + 2) * (ny + 2), total = ks * (nz + 2);
  double *u = malloc(total * sizeof *u), *un = calloc(total, sizeof *un);
  for (int n = 0; n < total; n++)
    u[n] = 1.0 / (n + 1.0);
  sweep(u, un, nx, ny, nz, js, ks);
  printf("%.12g\n", un[1 + js + ks]);
  free(u);
  free(un);
  return 0;
}
