/* D2Q9 lattice Boltzmann: structure of arrays and array of structures, push and pull, bounce-back walls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef NX
#define NX 12
#endif
#ifndef NY
#define NY 9
#endif
#ifndef STEPS
#define STEPS 3
#endif
#define Q 9
#define SOA(q, x, y) ((q) * (NX * NY) + (y) * NX + (x))
#define AOS(q, x, y) (((y) * NX + (x)) * Q + (q))
#define WRAP(a, n) (((a) + (n)) % (n))

enum { C0, CE, CN, CW, CS, NE, NW, SW, SE };
static const int ex[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int ey[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double wt[Q] = {4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0};

typedef struct { double f[Q]; double rho, u, v; unsigned char solid; } cell_t;

static double *f, *ftmp, *a;
static unsigned char *wall;
static cell_t lattice[NY][NX];

static void initialise(void)
{
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++) {
      wall[y * NX + x] = (y == 0 || y == NY - 1);
      lattice[y][x].solid = wall[y * NX + x];
      for (int q = 0; q < Q; q++) {
        f[SOA(q, x, y)] = wt[q] * (1.0 + 0.01 * sin(0.5 * x));
        a[AOS(q, x, y)] = f[SOA(q, x, y)];
        lattice[y][x].f[q] = wt[q];
      }
    }
}

/* pull scheme with loops over directions */
static void stream_collide(double omega)
{
  for (int y = 0; y < NY; y++) {
    for (int x = 0; x < NX; x++) {
      double g[Q], rho = 0.0, u = 0.0, v = 0.0;
      for (int q = 0; q < Q; q++) {
        int xs = WRAP(x - ex[q], NX), ys = WRAP(y - ey[q], NY);
        g[q] = f[SOA(q, xs, ys)];
        rho += g[q];
        u += g[q] * ex[q];
        v += g[q] * ey[q];
      }
      u /= rho;
      v /= rho;
      double usq = 1.5 * (u * u + v * v);
      for (int q = 0; q < Q; q++) {
        double cu = 3.0 * (ex[q] * u + ey[q] * v);
        double feq = wt[q] * rho * (1.0 + cu + 0.5 * cu * cu - usq);
        ftmp[SOA(q, x, y)] = g[q] - omega * (g[q] - feq);
      }
    }
  }
  double *swap = f;
  f = ftmp;
  ftmp = swap;
}

/* the same collision unrolled by hand, in place, array of structures */
static void collide_unrolled(double omega)
{
  for (int y = 1; y < NY - 1; y++)
    for (int x = 0; x < NX; x++) {
      double *p = &a[AOS(0, x, y)];
      const double rho = p[C0] + p[CE] + p[CN] + p[CW] + p[CS] + p[NE] + p[NW] + p[SW] + p[SE];
      const double u = (p[CE] - p[CW] + p[NE] - p[NW] - p[SW] + p[SE]) / rho;
      const double v = (p[CN] - p[CS] + p[NE] + p[NW] - p[SW] - p[SE]) / rho;
      const double base = 1.0 - 1.5 * (u * u + v * v);
      const double r9 = rho / 9.0, r36 = rho / 36.0;
      p[C0] += omega * (4.0 * r9 * base - p[C0]);
      p[CE] += omega * (r9 * (base + 3.0 * u + 4.5 * u * u) - p[CE]);
      p[CW] += omega * (r9 * (base - 3.0 * u + 4.5 * u * u) - p[CW]);
      p[CN] += omega * (r9 * (base + 3.0 * v + 4.5 * v * v) - p[CN]);
      p[CS] += omega * (r9 * (base - 3.0 * v + 4.5 * v * v) - p[CS]);
      p[NE] += omega * (r36 * (base + 3.0 * (u + v) + 4.5 * (u + v) * (u + v)) - p[NE]);
      p[SW] += omega * (r36 * (base - 3.0 * (u + v) + 4.5 * (u + v) * (u + v)) - p[SW]);
      p[SE] += omega * (r36 * (base + 3.0 * (u - v) + 4.5 * (u - v) * (u - v)) - p[SE]);
      p[NW] += omega * (r36 * (base - 3.0 * (u - v) + 4.5 * (u - v) * (u - v)) - p[NW]);
    }
}

static void bounce_back(void)
{
  for (int n = 0; n < NX * NY; n++) {
    if (!wall[n])
      continue;
    double g[Q];
    for (int q = 0; q < Q; q++)
      g[q] = f[q * NX * NY + n];
    for (int q = 0; q < Q; q++)
      f[opposite[q] * NX * NY + n] = g[q];
  }
}

static void moments(void)
{
  cell_t *c = &lattice[0][0];
  for (int n = 0; n < NX * NY; n++, c++) {
    c->rho = 0.0;
    c->u = 0.0;
    c->v = 0.0;
    for (int q = 0; q < Q; q++) {
      c->rho += c->f[q];
      c->u += ex[q] * c->f[q];
      c->v += ey[q] * c->f[q];
    }
    if (c->solid) {
      c->u = 0.0;
      c->v = 0.0;
    }
  }
}

static double mass(const double *dist)
{
  double m = 0.0;
  for (int q = 0; q < Q; q++)
    for (int y = 0; y < NY; y++)
      for (int x = 0; x < NX; x++)
        m += dist[SOA(q, x, y)];
  return m;
}

int main(void)
{
  f = malloc(sizeof(double) * Q * NX * NY);
  ftmp = malloc(sizeof(double) * Q * NX * NY);
  a = malloc(sizeof(double) * Q * NX * NY);
  wall = malloc(NX * NY);
  if (!f || !ftmp || !a || !wall)
    return 1;
  initialise();
  for (int t = 0; t < STEPS; t++) {
    stream_collide(1.2);
    bounce_back();
    collide_unrolled(1.2);
  }
  moments();
  printf("%.10g %.10g %.10g\n", mass(f), a[AOS(3, 4, 4)], lattice[2][2].rho);
  free(f);
  free(ftmp);
  free(a);
  free(wall);
  return 0;
}
