/* A particle code: cell lists, pair forces with a cutoff, charge deposition and field gather, leapfrog. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef NP
#define NP 48
#endif
#ifndef NG
#define NG 8
#endif
#ifdef USE_FLOAT
typedef float real;
#define SQRT sqrtf
#else
typedef double real;
#define SQRT sqrt
#endif
#define MAX_PER_CELL 16

typedef struct {
  int n;
  real *restrict x, *restrict y, *restrict z;
  real *restrict vx, *restrict vy, *restrict vz;
  real *restrict fx, *restrict fy, *restrict fz;
  real *restrict charge;
} particles_t;

static real rho[NG + 1][NG + 1], phi[NG + 1][NG + 1], ef_x[NG + 1][NG + 1], ef_y[NG + 1][NG + 1];
static int cell_count[NG * NG], cell_list[NG * NG][MAX_PER_CELL];
static real box = 1.0;

static int setup(particles_t *p, int n)
{
  real *store = malloc(10 * n * sizeof(real));
  if (store == NULL)
    return -1;
  p->n = n;
  p->x = store;
  p->y = store + n;
  p->z = store + 2 * n;
  p->vx = store + 3 * n;
  p->vy = store + 4 * n;
  p->vz = store + 5 * n;
  p->fx = store + 6 * n;
  p->fy = store + 7 * n;
  p->fz = store + 8 * n;
  p->charge = store + 9 * n;
  for (int i = 0; i < n; i++) {
    p->x[i] = (real)((i * 37) % 101) / 101;
    p->y[i] = (real)((i * 53) % 103) / 103;
    p->z[i] = (real)((i * 71) % 107) / 107;
    p->vx[i] = p->vy[i] = p->vz[i] = 0;
    p->charge[i] = i % 2 ? 1.0 : -1.0;
  }
  return 0;
}

static void pair_forces(particles_t *p, real cutoff)
{
  const real rc2 = cutoff * cutoff;
  for (int i = 0; i < p->n; i++) {
    real fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < p->n; j++) {
      real dx = p->x[i] - p->x[j], dy = p->y[i] - p->y[j], dz = p->z[i] - p->z[j];
      real r2 = dx * dx + dy * dy + dz * dz;
      if (j != i && r2 < rc2) {
        real inv = 1 / (r2 + (real)0.01);
        real s = p->charge[i] * p->charge[j] * inv * SQRT(inv);
        fx += s * dx;
        fy += s * dy;
        fz += s * dz;
      }
    }
    p->fx[i] = fx;
    p->fy[i] = fy;
    p->fz[i] = fz;
  }
}

static void all_pairs(const particles_t *p, real *energy)
{
  real e = 0;
  for (int i = 0; i < p->n - 1; i++)
    for (int j = i + 1; j < p->n; j++) {
      const real dx = p->x[i] - p->x[j];
      const real dy = p->y[i] - p->y[j];
      const real dz = p->z[i] - p->z[j];
      e += p->charge[i] * p->charge[j] / SQRT(dx * dx + dy * dy + dz * dz + (real)1e-3);
    }
  *energy = e;
}

static void build_cells(const particles_t *p)
{
  for (int c = 0; c < NG * NG; c++)
    cell_count[c] = 0;
  for (int i = 0; i < p->n; i++) {
    int cx = (int)(p->x[i] * NG), cy = (int)(p->y[i] * NG);
    int c = cy * NG + cx;
    cell_list[c][cell_count[c]] = i;
    cell_count[c]++;
  }
}

static real neighbour_density(const particles_t *p)
{
  real total = 0;
  for (int cy = 1; cy < NG - 1; cy++)
    for (int cx = 1; cx < NG - 1; cx++) {
      int here = cy * NG + cx;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          int there = (cy + dy) * NG + cx + dx;
          for (int m = 0; m < cell_count[here]; m++)
            for (int n = 0; n < cell_count[there]; n++) {
              real d = p->z[cell_list[here][m]] - p->z[cell_list[there][n]];
              total += d * d;
            }
        }
    }
  return total;
}

static void deposit(const particles_t *p)
{
  for (int j = 0; j <= NG; j++)
    for (int i = 0; i <= NG; i++)
      rho[j][i] = 0;
  for (int n = 0; n < p->n; n++) {
    real gx = p->x[n] * NG / box, gy = p->y[n] * NG / box;
    int i = (int)gx, j = (int)gy;
    real wx = gx - i, wy = gy - j, q = p->charge[n];
    rho[j][i] += q * (1 - wx) * (1 - wy);
    rho[j][i + 1] += q * wx * (1 - wy);
    rho[j + 1][i] += q * (1 - wx) * wy;
    rho[j + 1][i + 1] += q * wx * wy;
  }
}

static void field_solve(int iterations)
{
  const real h2 = box * box / (NG * NG);
  for (int it = 0; it < iterations; it++)
    for (int j = 1; j < NG; j++)
      for (int i = 1; i < NG; i++)
        phi[j][i] = (real)0.25 * (phi[j - 1][i] + phi[j + 1][i] + phi[j][i - 1] + phi[j][i + 1] + h2 * rho[j][i]);
  for (int j = 1; j < NG; j++)
    for (int i = 1; i < NG; i++) {
      ef_x[j][i] = (phi[j][i - 1] - phi[j][i + 1]) * NG / 2;
      ef_y[j][i] = (phi[j - 1][i] - phi[j + 1][i]) * NG / 2;
    }
}

static void gather_push(particles_t *p, real dt)
{
  for (int n = 0; n < p->n; n++) {
    const int i = (int)(p->x[n] * NG), j = (int)(p->y[n] * NG);
    const real ax = p->charge[n] * ef_x[j][i] + p->fx[n] * (real)1e-4;
    const real ay = p->charge[n] * ef_y[j][i] + p->fy[n] * (real)1e-4;
    p->vx[n] += dt * ax;
    p->vy[n] += dt * ay;
    p->vz[n] += dt * p->fz[n] * (real)1e-4;
  }
  for (int n = 0; n < p->n; n++) {
    p->x[n] += dt * p->vx[n];
    p->y[n] += dt * p->vy[n];
    p->z[n] += dt * p->vz[n];
    if (p->x[n] < 0) p->x[n] += box;
    if (p->x[n] >= box) p->x[n] -= box;
    if (p->y[n] < 0) p->y[n] += box;
    if (p->y[n] >= box) p->y[n] -= box;
  }
}

int main(void)
{
  particles_t p;
  real energy = 0, density = 0;
  if (setup(&p, NP))
    return 1;
  for (int step = 0; step < 2; step++) {
    pair_forces(&p, 0.4);
    deposit(&p);
    field_solve(4);
    gather_push(&p, 0.01);
    build_cells(&p);
    density = neighbour_density(&p);
  }
  all_pairs(&p, &energy);
  printf("%.8g %.8g %.8g\n", (double)energy, (double)density, (double)phi[3][3]);
  free(p.x);
  return 0;
}
