/* Lagrangian hydrodynamics on hexahedra, and implicit heat conduction on a plane. */
#include <math.h>

typedef double Real_t;
typedef int Index_t;

void eos_pressure(Real_t *p_new, Real_t *bvc, Real_t *pbvc, Real_t *e_old, Real_t *compression, Real_t *vnewc, Real_t pmin,
                  Real_t p_cut, Real_t eosvmax, Index_t length, Index_t *regElemList) {
  for (Index_t i = 0; i < length; ++i) {
    Real_t c1s = 2.0 / 3.0;
    bvc[i] = c1s * (compression[i] + 1.);
    pbvc[i] = c1s;
  }
  for (Index_t i = 0; i < length; ++i) {
    Index_t ielem = regElemList[i];
    p_new[i] = bvc[i] * e_old[i];
    if (fabs(p_new[i]) < p_cut) p_new[i] = 0.0;
    if (vnewc[ielem] >= eosvmax) p_new[i] = 0.0;
    if (p_new[i] < pmin) p_new[i] = pmin;
  }
}

void eos_viscosity(Index_t length, Real_t *q_new, Real_t *delvc, Real_t *pbvc, Real_t *e_new, Real_t *vnewc, Real_t *bvc,
                   Real_t *p_new, Real_t *ql, Real_t *qq, Real_t rho0) {
  for (Index_t i = 0; i < length; ++i) {
    if (delvc[i] > 0.) {
      q_new[i] = 0.;
    } else {
      Real_t ssc = (pbvc[i] * e_new[i] + vnewc[i] * vnewc[i] * bvc[i] * p_new[i]) / rho0;
      if (ssc <= .1111111e-36)
        ssc = .3333333e-18;
      else
        ssc = sqrt(ssc);
      q_new[i] = ssc * ql[i] + qq[i];
    }
  }
}

static inline Real_t triple(Real_t x1, Real_t y1, Real_t z1, Real_t x2, Real_t y2, Real_t z2, Real_t x3, Real_t y3, Real_t z3) {
  return x1 * (y2 * z3 - z2 * y3) + x2 * (z1 * y3 - y1 * z3) + x3 * (y1 * z2 - z1 * y2);
}

/* Volumes of hexahedra from the coordinates of their corners. */
void hex_volumes(Index_t elements, const Index_t *nodelist, const Real_t *x, const Real_t *y, const Real_t *z, Real_t *volume) {
  for (Index_t k = 0; k < elements; ++k) {
    const Index_t *n = &nodelist[8 * k];
    Real_t d61x = x[n[6]] - x[n[1]], d61y = y[n[6]] - y[n[1]], d61z = z[n[6]] - z[n[1]];
    Real_t d70x = x[n[7]] - x[n[0]], d70y = y[n[7]] - y[n[0]], d70z = z[n[7]] - z[n[0]];
    Real_t d63x = x[n[6]] - x[n[3]], d63y = y[n[6]] - y[n[3]], d63z = z[n[6]] - z[n[3]];
    Real_t d20x = x[n[2]] - x[n[0]], d20y = y[n[2]] - y[n[0]], d20z = z[n[2]] - z[n[0]];
    Real_t d43x = x[n[4]] - x[n[3]], d43y = y[n[4]] - y[n[3]], d43z = z[n[4]] - z[n[3]];
    Real_t d57x = x[n[5]] - x[n[7]], d57y = y[n[5]] - y[n[7]], d57z = z[n[5]] - z[n[7]];
    volume[k] = (triple(d61x + d70x, d61y + d70y, d61z + d70z, d63x, d63y, d63z, d20x, d20y, d20z) +
                 triple(d43x, d43y, d43z, d57x + d61x, d57y + d61y, d57z + d61z, d20x, d20y, d20z)) / 12.0;
  }
}

/* Adds the forces of elements to their corners. */
void corner_forces(Index_t elements, const Index_t *nodelist, const Real_t *f, Real_t *fx) {
  for (Index_t k = 0; k < elements; ++k)
    for (int l = 0; l < 8; ++l) fx[nodelist[8 * k + l]] += f[8 * k + l];
}

void node_motion(Index_t nodes, Real_t dt, Real_t u_cut, Real_t *x, Real_t *xd, const Real_t *xdd) {
  for (Index_t i = 0; i < nodes; ++i) {
    Real_t t = xd[i] + xdd[i] * dt;
    if (fabs(t) < u_cut) t = 0.0;
    xd[i] = t;
    x[i] += xd[i] * dt;
  }
}

Real_t courant_limit(Index_t length, const Index_t *list, const Real_t *ss, const Real_t *vdov, const Real_t *arealg) {
  Real_t best = 1.0e+20;
  for (Index_t i = 0; i < length; ++i) {
    Index_t k = list[i];
    Real_t dtf = ss[k] * ss[k];
    if (vdov[k] < 0.) dtf = dtf + 4.0 * arealg[k] * arealg[k] * vdov[k] * vdov[k];
    dtf = arealg[k] / sqrt(dtf);
    if (vdov[k] != 0. && dtf < best) best = dtf;
  }
  return best;
}

/* w = A p of a five-point operator with face coefficients, and the product of both. */
double conduct_apply(int x, int y, double rx, double ry, const double *p, double *w, const double *kx, const double *ky) {
  double pw = 0.0;
  for (int jj = 1; jj < y - 1; ++jj)
    for (int kk = 1; kk < x - 1; ++kk) {
      const int index = kk + jj * x;
      const double smvp = (1.0 + (kx[index + 1] + kx[index]) * rx + (ky[index + x] + ky[index]) * ry) * p[index] -
                          rx * (kx[index + 1] * p[index + 1] + kx[index] * p[index - 1]) -
                          ry * (ky[index + x] * p[index + x] + ky[index] * p[index - x]);
      w[index] = smvp;
      pw += smvp * p[index];
    }
  return pw;
}

void conduct_jacobi(int x, int y, double rx, double ry, double *u, const double *u0, const double *r, const double *kx,
                    const double *ky) {
  for (int jj = 1; jj < y - 1; jj++)
    for (int kk = 1; kk < x - 1; kk++) {
      int i = kk + jj * x;
      u[i] = (u0[i] + rx * (kx[i + 1] * r[i + 1] + kx[i] * r[i - 1]) + ry * (ky[i + x] * r[i + x] + ky[i] * r[i - x])) /
             (1.0 + rx * (kx[i] + kx[i + 1]) + ry * (ky[i] + ky[i + x]));
    }
}

void conduct_coefficients(int x, int y, const double *density, double *kx, double *ky) {
  for (int jj = 1; jj < y; ++jj)
    for (int kk = 1; kk < x; ++kk) {
      int i = kk + jj * x;
      kx[i] = (density[i - 1] + density[i]) / (2.0 * density[i - 1] * density[i]);
      ky[i] = (density[i - x] + density[i]) / (2.0 * density[i - x] * density[i]);
    }
}
