/* Table look-ups and neutral transport: binary search, unionised grids, event loops with early exits, sweeps over
   octants with downward loops, linked lists. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef NUCLIDES
#define NUCLIDES 6
#endif
#ifndef GRIDPOINTS
#define GRIDPOINTS 20
#endif
#define LOOKUPS 40
#define NG 3
#define NA 4
#define NZONE 6
typedef struct { double energy, total, elastic, absorption; } point_t;
typedef struct { int n; int *nuclide; double *density; } material_t;
typedef struct node { double weight; struct node *next; } node_t;
static point_t *grids;
static double *egrid;
static int *index_grid;
static double psi[NA][NG][NZONE][NZONE], phi[NG][NZONE][NZONE], source[NG][NZONE][NZONE], sigt[NG];
static double mu[NA] = {0.9, 0.6, 0.4, 0.1}, eta[NA] = {0.1, 0.4, 0.6, 0.9}, wgt[NA] = {0.25, 0.25, 0.25, 0.25};

static uint64_t lcg(uint64_t *s)
{
  *s = (2806196910506780709ULL * *s + 1ULL) % 9223372036854775808ULL;
  return *s;
}

static double uniform(uint64_t *s) { return (double)(lcg(s) % 1000003ULL) / 1000003.0; }

static void build(void)
{
  const int total = NUCLIDES * GRIDPOINTS;
  grids = malloc(total * sizeof(point_t));
  egrid = malloc(total * sizeof(double));
  index_grid = malloc(total * NUCLIDES * sizeof(int));
  for (int n = 0; n < NUCLIDES; n++)
    for (int g = 0; g < GRIDPOINTS; g++) {
      point_t *p = &grids[n * GRIDPOINTS + g];
      p->energy = (g + 0.5 / (n + 1)) / GRIDPOINTS;
      p->total = 1.0 + 0.1 * g;
      p->elastic = 0.6 * p->total;
      p->absorption = 0.4 * p->total;
    }
  for (int e = 0; e < total; e++)
    egrid[e] = (double)e / total;
  for (int e = 0; e < total; e++)
    for (int n = 0; n < NUCLIDES; n++) {
      int low = 0;
      while (low < GRIDPOINTS - 2 && grids[n * GRIDPOINTS + low + 1].energy < egrid[e])
        low++;
      index_grid[e * NUCLIDES + n] = low;
    }
}

static int search(const double *a, double quarry, int n)
{
  int lower = 0, upper = n - 1;
  while (upper - lower > 1) {
    int middle = lower + (upper - lower) / 2;
    if (a[middle] > quarry)
      upper = middle;
    else
      lower = middle;
  }
  return lower;
}

static void macro_xs(double energy, const material_t *mat, double xs[3])
{
  for (int k = 0; k < 3; k++)
    xs[k] = 0.0;
  const int e = search(egrid, energy, NUCLIDES * GRIDPOINTS);
  for (int j = 0; j < mat->n; j++) {
    const int n = mat->nuclide[j];
    const double density = mat->density[j];
    const point_t *low = &grids[n * GRIDPOINTS + index_grid[e * NUCLIDES + n]];
    const point_t *high = low + 1;
    const double f = (high->energy - energy) / (high->energy - low->energy);
    xs[0] += density * (high->total - f * (high->total - low->total));
    xs[1] += density * (high->elastic - f * (high->elastic - low->elastic));
    xs[2] += density * (high->absorption - f * (high->absorption - low->absorption));
  }
}

static double lookups(const material_t *mat, int count)
{
  uint64_t seed = 42;
  double verification = 0.0;
  for (int l = 0; l < count; l++) {
    double xs[3];
    macro_xs(uniform(&seed), mat, xs);
    verification += xs[0] + xs[1] - xs[2];
  }
  return verification;
}

static void sweep(int octant)
{
  const int ilo = octant & 1 ? NZONE - 1 : 0, di = octant & 1 ? -1 : 1;
  const int jlo = octant & 2 ? NZONE - 1 : 0, dj = octant & 2 ? -1 : 1;
  for (int a = 0; a < NA; a++)
    for (int g = 0; g < NG; g++) {
      double left[NZONE];
      for (int j = 0; j < NZONE; j++)
        left[j] = 1.0;
      for (int ii = 0, i = ilo; ii < NZONE; ii++, i += di) {
        double bottom = 1.0;
        for (int jj = 0, j = jlo; jj < NZONE; jj++, j += dj) {
          double centre = (source[g][i][j] + 2.0 * mu[a] * left[j] + 2.0 * eta[a] * bottom) /
                          (sigt[g] + 2.0 * mu[a] + 2.0 * eta[a]);
          psi[a][g][i][j] = centre;
          left[j] = 2.0 * centre - left[j];
          bottom = 2.0 * centre - bottom;
        }
      }
    }
}

static void moments(void)
{
  for (int g = 0; g < NG; ++g)
    for (int i = 0; i < NZONE; ++i)
      for (int j = 0; j < NZONE; ++j) {
        double s = 0.0;
        for (int a = 0; a < NA; ++a)
          s += wgt[a] * psi[a][g][i][j];
        phi[g][i][j] += s;
      }
}

static double walk(const node_t *head)
{
  double total = 0.0;
  for (const node_t *n = head; n != NULL; n = n->next)
    total += n->weight;
  return total;
}

int main(void)
{
  static int nuclide[4] = {0, 2, 3, 5};
  static double density[4] = {1.0, 0.5, 0.25, 0.125};
  const material_t mat = {4, nuclide, density};
  static node_t chain[10];
  build();
  double v = lookups(&mat, LOOKUPS);
  for (int g = 0; g < NG; g++) {
    sigt[g] = 1.0 + g;
    for (int i = 0; i < NZONE; i++)
      for (int j = 0; j < NZONE; j++)
        source[g][i][j] = 0.1 * (i + 1);
  }
  for (int octant = 0; octant < 4; octant++) {
    sweep(octant);
    moments();
  }
  for (int n = 0; n < 10; n++) {
    chain[n].weight = 0.5 * n;
    chain[n].next = n < 9 ? &chain[n + 1] : NULL;
  }
  printf("%.10g %.10g %.10g\n", v, phi[1][2][3], walk(chain));
  free(grids);
  free(egrid);
  free(index_grid);
  return 0;
}
