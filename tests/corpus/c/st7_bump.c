/* 7-point Jacobi sweep, pointers advanced by one. */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 8
#endif
void sweep(int nx, int ny, int nz, const double *u, double *un)
{
  const int js = nx + 2, ks = (nx + 2) * (ny + 2);
  int i, j, k;
  for (k = 0; k < nz; k++)
    for (j = 0; j < ny; j++) {
      const double *p = u + (k + 1) * ks + (j + 1) * js + 1;
      double *q = un + (k + 1) * ks + (j + 1) * js + 1;
      for (i = 0; i < nx; i++) {
        *q++ = (p[-ks] + p[-js] + p[-1] + p[1] + p[js] + p[ks]) / 6.0;
        p++;
      }
    }
}

int main(void)
{
  int n = N, total = (n + 2) * (n + 2) * (n + 2);
  double *u = malloc(total * sizeof(double)), *un = calloc(total, sizeof(double));
  double *init = u;
  for (int m = 0; m < total; m++)
    *init++ = m * 0.25;
  sweep(n, n, n, u, un);
  printf("%.12g\n", un[total / 3]);
  free(u);
  free(un);
  return 0;
}
