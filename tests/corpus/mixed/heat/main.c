/* C calls Fortran by reference (fsweep_), Fortran calls back into C (cscale_). */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 9
#endif
typedef struct { int nx, ny; double *u, *un; } grid;
void fsweep_(int *nx, int *ny, double *u, double *un, double *residual);

void cscale_(double *row, int *n, double *s)
{
  for (int i = 0; i < *n; i++)
    row[i] *= *s;
}

int main(void)
{
  grid g = {N, N - 2, NULL, NULL};
  int total = (g.nx + 2) * (g.ny + 2);
  double residual = 0.0;
  g.u = malloc(total * sizeof(double));
  g.un = malloc(total * sizeof(double));
  for (int m = 0; m < total; m++)
    g.u[m] = g.un[m] = 0.25 * m;
  for (int t = 0; t < 3; t++) {
    fsweep_(&g.nx, &g.ny, g.u, g.un, &residual);
    double *tmp = g.u;
    g.u = g.un;
    g.un = tmp;
  }
  printf("%.12g %.12g\n", residual, g.u[total / 2]);
  free(g.u);
  free(g.un);
  return 0;
}
