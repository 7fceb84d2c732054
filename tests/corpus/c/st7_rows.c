/* 7-point Jacobi sweep, row pointers fixed outside the innermost loop. */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 8
#endif
void sweep(int nx, int ny, int nz, double *u, double *un)
{
  int js = nx + 2, ks = (nx + 2) * (ny + 2);
  for (int k = 1; k <= nz; k++) {
    for (int j = 1; j <= ny; j++) {
      double *up = u + k * ks + j * js;
      double *out = &un[k * ks + j * js];
      for (int i = 1; i <= nx; i++)
        *(out + i) = (*(up + i - ks) + *(up + i - js) + *(up + i - 1) + *(up + i + 1) + *(up + i + js) +
                      *(up + i + ks)) / 6.0;
    }
  }
}

int main(void)
{
  int n = N, total = (n + 2) * (n + 2) * (n + 2);
  double *u = malloc(total * sizeof(double)), *un = calloc(total, sizeof(double));
  for (int m = 0; m < total; m++)
    u[m] = m * 0.5;
  sweep(n, n, n, u, un);
  printf("%.12g\n", un[total / 3]);
  free(u);
  free(un);
  return 0;
}
