/* Struct members: g->u and g.u are one array; nested structs; arrays inside structs; by value and by pointer. */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 12
#endif
typedef struct { int nx, ny, pitch; } dims_t;
typedef struct grid { dims_t d; double *u, *f; double bc[4]; double h; } grid;

static void relax(grid *g)
{
  const int p = g->d.pitch;
  for (int j = 1; j < g->d.ny - 1; j++)
    for (int i = 1; i < g->d.nx - 1; i++)
      g->u[j * p + i] = 0.25 * (g->u[j * p + i - 1] + g->u[j * p + i + 1] + g->u[(j - 1) * p + i] +
                                g->u[(j + 1) * p + i] - g->h * g->h * g->f[j * p + i]);
}

static double total(const grid g)
{
  double s = 0.0;
  for (int j = 0; j < g.d.ny; j++)
    for (int i = 0; i < g.d.nx; i++)
      s += g.u[j * g.d.pitch + i] * g.u[j * g.d.pitch + i];
  return s;
}

static void edges(grid *g)
{
  for (int i = 0; i < g->d.nx; i++) {
    g->u[i] = g->bc[0];
    g->u[(g->d.ny - 1) * g->d.pitch + i] = g->bc[1];
  }
  for (int side = 0; side < 4; side++)
    g->bc[side] *= 0.5;
}

int main(void)
{
  grid g = {{N, N - 2, N + 4}, NULL, NULL, {1.0, 2.0, 3.0, 4.0}, 0.1};
  g.u = malloc(sizeof(double) * g.d.pitch * g.d.ny);
  g.f = malloc(sizeof(double) * g.d.pitch * g.d.ny);
  for (int n = 0; n < g.d.pitch * g.d.ny; n++) {
    g.u[n] = n * 0.1;
    g.f[n] = 1.0;
  }
  edges(&g);
  relax(&g);
  printf("%.12g\n", total(g));
  free(g.u);
  free(g.f);
  return 0;
}
