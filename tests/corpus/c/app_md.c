/* Molecular dynamics with link cells in the style of a C proxy: nested structs, real3 rows, callbacks, tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef CELLS
#define CELLS 3
#endif
#define MAXATOMS 8
typedef double real_t;
typedef real_t real3[3];
#define zeroReal3(a) do { (a)[0] = 0.0; (a)[1] = 0.0; (a)[2] = 0.0; } while (0)

typedef struct { int nLocal, nGlobal; int *gid; real3 *r, *p, *f; real_t *U; } Atoms;
typedef struct { int gridSize[3]; int nTotalBoxes; int *nAtoms; int **nbrBoxes; real3 boxSize; } LinkCell;
typedef struct BasePotential_st BasePotential;
typedef struct SimFlat_st {
  int nSteps;
  double dt;
  Atoms *atoms;
  LinkCell *boxes;
  BasePotential *pot;
  real_t ePotential, eKinetic;
} SimFlat;
struct BasePotential_st { real_t cutoff, mass, sigma, epsilon; int (*force)(SimFlat *s); void (*destroy)(BasePotential **); };

static int boxFromTuple(const LinkCell *b, int ix, int iy, int iz)
{
  const int *g = b->gridSize;
  ix = (ix + g[0]) % g[0];
  iy = (iy + g[1]) % g[1];
  iz = (iz + g[2]) % g[2];
  return ix + g[0] * (iy + g[1] * iz);
}

static LinkCell *initLinkCells(real_t box)
{
  LinkCell *ll = malloc(sizeof(LinkCell));
  for (int m = 0; m < 3; m++) {
    ll->gridSize[m] = CELLS;
    ll->boxSize[m] = box;
  }
  ll->nTotalBoxes = CELLS * CELLS * CELLS;
  ll->nAtoms = malloc(ll->nTotalBoxes * sizeof(int));
  ll->nbrBoxes = malloc(ll->nTotalBoxes * sizeof(int *));
  for (int iBox = 0; iBox < ll->nTotalBoxes; ++iBox) {
    ll->nAtoms[iBox] = 4;
    ll->nbrBoxes[iBox] = malloc(27 * sizeof(int));
  }
  for (int iz = 0; iz < CELLS; iz++)
    for (int iy = 0; iy < CELLS; iy++)
      for (int ix = 0; ix < CELLS; ix++) {
        int iBox = boxFromTuple(ll, ix, iy, iz), count = 0;
        for (int i = ix - 1; i <= ix + 1; i++)
          for (int j = iy - 1; j <= iy + 1; j++)
            for (int k = iz - 1; k <= iz + 1; k++)
              ll->nbrBoxes[iBox][count++] = boxFromTuple(ll, i, j, k);
      }
  return ll;
}

static Atoms *initAtoms(const LinkCell *boxes)
{
  Atoms *atoms = malloc(sizeof(Atoms));
  int maxTotal = MAXATOMS * boxes->nTotalBoxes;
  atoms->gid = malloc(maxTotal * sizeof(int));
  atoms->r = malloc(maxTotal * sizeof(real3));
  atoms->p = malloc(maxTotal * sizeof(real3));
  atoms->f = malloc(maxTotal * sizeof(real3));
  atoms->U = malloc(maxTotal * sizeof(real_t));
  for (int iOff = 0; iOff < maxTotal; iOff++) {
    atoms->gid[iOff] = 0;
    zeroReal3(atoms->r[iOff]);
    zeroReal3(atoms->p[iOff]);
    zeroReal3(atoms->f[iOff]);
    atoms->U[iOff] = 0.;
  }
  int gid = 0;
  for (int iBox = 0; iBox < boxes->nTotalBoxes; iBox++)
    for (int ii = 0, iOff = MAXATOMS * iBox; ii < boxes->nAtoms[iBox]; ii++, iOff++) {
      atoms->gid[iOff] = gid++;
      atoms->r[iOff][0] = (iBox % CELLS) * boxes->boxSize[0] + 0.3 * ii;
      atoms->r[iOff][1] = (iBox / CELLS % CELLS) * boxes->boxSize[1] + 0.2 * ii * ii;
      atoms->r[iOff][2] = (iBox / (CELLS * CELLS)) * boxes->boxSize[2] + 0.1;
    }
  atoms->nLocal = gid;
  return atoms;
}

static int ljForce(SimFlat *s)
{
  BasePotential *pot = s->pot;
  real_t sigma = pot->sigma, epsilon = pot->epsilon;
  real_t rCut2 = pot->cutoff * pot->cutoff;
  real_t ePot = 0.0;
  s->ePotential = 0.0;
  int fSize = s->boxes->nTotalBoxes * MAXATOMS;
#pragma omp parallel for
  for (int ii = 0; ii < fSize; ++ii) {
    zeroReal3(s->atoms->f[ii]);
    s->atoms->U[ii] = 0.;
  }
  real_t s6 = sigma * sigma * sigma * sigma * sigma * sigma;
  real_t rCut6 = s6 / (rCut2 * rCut2 * rCut2);
  real_t eShift = rCut6 * (rCut6 - 1.0);
  int nNbrBoxes = 27;
#pragma omp parallel for reduction(+ : ePot)
  for (int iBox = 0; iBox < s->boxes->nTotalBoxes; iBox++) {
    int nIBox = s->boxes->nAtoms[iBox];
    for (int jTmp = 0; jTmp < nNbrBoxes; jTmp++) {
      int jBox = s->boxes->nbrBoxes[iBox][jTmp];
      int nJBox = s->boxes->nAtoms[jBox];
      for (int iOff = MAXATOMS * iBox; iOff < (iBox * MAXATOMS + nIBox); iOff++) {
        for (int jOff = jBox * MAXATOMS; jOff < (jBox * MAXATOMS + nJBox); jOff++) {
          real3 dr;
          real_t r2 = 0.0;
          for (int m = 0; m < 3; m++) {
            dr[m] = s->atoms->r[iOff][m] - s->atoms->r[jOff][m];
            r2 += dr[m] * dr[m];
          }
          if (r2 <= rCut2 && r2 > 0.0) {
            r2 = 1.0 / r2;
            real_t r6 = s6 * (r2 * r2 * r2);
            real_t eLocal = r6 * (r6 - 1.0) - eShift;
            s->atoms->U[iOff] += 0.5 * eLocal;
            ePot += 0.5 * eLocal;
            real_t fr = -4.0 * epsilon * r6 * r2 * (12.0 * r6 - 6.0);
            for (int m = 0; m < 3; m++)
              s->atoms->f[iOff][m] -= dr[m] * fr;
          }
        }
      }
    }
  }
  s->ePotential = ePot * 4.0 * epsilon;
  return 0;
}

static void advanceVelocity(SimFlat *s, int nBoxes, real_t dt)
{
  for (int iBox = 0; iBox < nBoxes; iBox++)
    for (int iOff = MAXATOMS * iBox, ii = 0; ii < s->boxes->nAtoms[iBox]; ii++, iOff++) {
      s->atoms->p[iOff][0] += dt * s->atoms->f[iOff][0];
      s->atoms->p[iOff][1] += dt * s->atoms->f[iOff][1];
      s->atoms->p[iOff][2] += dt * s->atoms->f[iOff][2];
    }
}

static void advancePosition(SimFlat *s, int nBoxes, real_t dt)
{
  real_t invMass = 1.0 / s->pot->mass;
  for (int iBox = 0; iBox < nBoxes; iBox++)
    for (int iOff = MAXATOMS * iBox, ii = 0; ii < s->boxes->nAtoms[iBox]; ii++, iOff++)
      for (int m = 0; m < 3; m++)
        s->atoms->r[iOff][m] += dt * s->atoms->p[iOff][m] * invMass;
}

static void kineticEnergy(SimFlat *s)
{
  real_t total = 0.0;
  for (int iBox = 0; iBox < s->boxes->nTotalBoxes; iBox++)
    for (int iOff = MAXATOMS * iBox, ii = 0; ii < s->boxes->nAtoms[iBox]; ii++, iOff++) {
      const real_t *p = s->atoms->p[iOff];
      total += 0.5 / s->pot->mass * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    }
  s->eKinetic = total;
}

static double timestep(SimFlat *s, int nSteps, real_t dt)
{
  for (int ii = 0; ii < nSteps; ++ii) {
    advanceVelocity(s, s->boxes->nTotalBoxes, 0.5 * dt);
    advancePosition(s, s->boxes->nTotalBoxes, dt);
    s->pot->force(s);
    advanceVelocity(s, s->boxes->nTotalBoxes, 0.5 * dt);
  }
  kineticEnergy(s);
  return s->ePotential;
}

int main(void)
{
  static BasePotential lj = {1.4, 2.0, 0.5, 0.1, ljForce, NULL};
  SimFlat sim;
  sim.pot = &lj;
  sim.boxes = initLinkCells(1.5);
  sim.atoms = initAtoms(sim.boxes);
  sim.dt = 1.0e-4;
  sim.nSteps = 2;
  double e = timestep(&sim, sim.nSteps, sim.dt);
  printf("%.10g %.10g %d\n", e, sim.eKinetic, sim.atoms->nLocal);
  return 0;
}
