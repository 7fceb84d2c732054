/* Lagrangian hydrodynamics with element-to-node lists, in the style of an unstructured shock proxy. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef EDGE
#define EDGE 5
#endif
typedef double real_t;
typedef int index_t;

typedef struct {
  index_t num_elem, num_node, edge_elems, edge_nodes;
  real_t *x, *y, *z, *xd, *yd, *zd, *xdd, *ydd, *zdd, *fx, *fy, *fz, *nodal_mass;
  index_t *nodelist, *lxim, *lxip, *node_elem_count, *node_elem_start, *node_elem_corner;
  real_t *e, *p, *q, *v, *volo, *delv, *vdov, *ss, *elem_mass, *sig;
  real_t *fx_elem, *fy_elem, *fz_elem;
} domain_t;

#define CUBE(a) ((a) * (a) * (a))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static void *allocate(size_t n, size_t size)
{
  void *p = calloc(n, size);
  if (p == NULL) {
    fprintf(stderr, "allocation failed\n");
    exit(EXIT_FAILURE);
  }
  return p;
}
#define NEW(type, n) ((type *)allocate((n), sizeof(type)))

static void create(domain_t *d, index_t edge)
{
  const index_t en = edge + 1;
  d->edge_elems = edge;
  d->edge_nodes = en;
  d->num_elem = edge * edge * edge;
  d->num_node = en * en * en;
  d->x = NEW(real_t, d->num_node);
  d->y = NEW(real_t, d->num_node);
  d->z = NEW(real_t, d->num_node);
  d->xd = NEW(real_t, d->num_node);
  d->yd = NEW(real_t, d->num_node);
  d->zd = NEW(real_t, d->num_node);
  d->xdd = NEW(real_t, d->num_node);
  d->ydd = NEW(real_t, d->num_node);
  d->zdd = NEW(real_t, d->num_node);
  d->fx = NEW(real_t, d->num_node);
  d->fy = NEW(real_t, d->num_node);
  d->fz = NEW(real_t, d->num_node);
  d->nodal_mass = NEW(real_t, d->num_node);
  d->nodelist = NEW(index_t, 8 * d->num_elem);
  d->lxim = NEW(index_t, d->num_elem);
  d->lxip = NEW(index_t, d->num_elem);
  d->node_elem_count = NEW(index_t, d->num_node);
  d->node_elem_start = NEW(index_t, d->num_node + 1);
  d->node_elem_corner = NEW(index_t, 8 * d->num_elem);
  d->e = NEW(real_t, d->num_elem);
  d->p = NEW(real_t, d->num_elem);
  d->q = NEW(real_t, d->num_elem);
  d->v = NEW(real_t, d->num_elem);
  d->volo = NEW(real_t, d->num_elem);
  d->delv = NEW(real_t, d->num_elem);
  d->vdov = NEW(real_t, d->num_elem);
  d->ss = NEW(real_t, d->num_elem);
  d->elem_mass = NEW(real_t, d->num_elem);
  d->sig = NEW(real_t, d->num_elem);
  d->fx_elem = NEW(real_t, 8 * d->num_elem);
  d->fy_elem = NEW(real_t, 8 * d->num_elem);
  d->fz_elem = NEW(real_t, 8 * d->num_elem);
}

static void connect(domain_t *d)
{
  const index_t en = d->edge_nodes, ee = d->edge_elems;
  index_t nidx = 0, zidx = 0;
  for (index_t plane = 0; plane < ee; ++plane) {
    for (index_t row = 0; row < ee; ++row) {
      for (index_t col = 0; col < ee; ++col) {
        index_t *local = &d->nodelist[8 * zidx];
        local[0] = nidx;
        local[1] = nidx + 1;
        local[2] = nidx + en + 1;
        local[3] = nidx + en;
        local[4] = nidx + en * en;
        local[5] = nidx + en * en + 1;
        local[6] = nidx + en * en + en + 1;
        local[7] = nidx + en * en + en;
        ++zidx;
        ++nidx;
      }
      ++nidx;
    }
    nidx += en;
  }
  for (index_t i = 0; i < d->num_elem; ++i) {
    d->lxim[i] = i == 0 ? 0 : i - 1;
    d->lxip[i] = i == d->num_elem - 1 ? i : i + 1;
  }
  for (index_t i = 0; i < d->num_elem; ++i)
    for (index_t j = 0; j < 8; ++j)
      ++(d->node_elem_count[d->nodelist[8 * i + j]]);
  d->node_elem_start[0] = 0;
  for (index_t i = 1; i <= d->num_node; ++i)
    d->node_elem_start[i] = d->node_elem_start[i - 1] + d->node_elem_count[i - 1];
  for (index_t i = 0; i < d->num_node; ++i)
    d->node_elem_count[i] = 0;
  for (index_t i = 0; i < d->num_elem; ++i) {
    index_t *nl = d->nodelist + 8 * i;
    for (index_t j = 0; j < 8; ++j) {
      index_t m = nl[j];
      d->node_elem_corner[d->node_elem_start[m] + d->node_elem_count[m]] = 8 * i + j;
      ++d->node_elem_count[m];
    }
  }
}

static void coordinates(domain_t *d)
{
  const index_t en = d->edge_nodes;
  index_t n = 0;
  for (index_t k = 0; k < en; ++k)
    for (index_t j = 0; j < en; ++j)
      for (index_t i = 0; i < en; ++i) {
        d->x[n] = 1.125 * (real_t)i / d->edge_elems;
        d->y[n] = 1.125 * (real_t)j / d->edge_elems;
        d->z[n] = 1.125 * (real_t)k / d->edge_elems;
        ++n;
      }
}

static inline void collect(const index_t *nodes, const domain_t *d, real_t x[8], real_t y[8], real_t z[8])
{
  for (int c = 0; c < 8; c++) {
    x[c] = d->x[nodes[c]];
    y[c] = d->y[nodes[c]];
    z[c] = d->z[nodes[c]];
  }
}

static inline real_t triple(real_t x1, real_t y1, real_t z1, real_t x2, real_t y2, real_t z2, real_t x3, real_t y3, real_t z3)
{
  return x1 * (y2 * z3 - z2 * y3) + x2 * (z1 * y3 - y1 * z3) + x3 * (y1 * z2 - z1 * y2);
}

static real_t element_volume(const real_t x[8], const real_t y[8], const real_t z[8])
{
  real_t dx61 = x[6] - x[1], dy61 = y[6] - y[1], dz61 = z[6] - z[1];
  real_t dx70 = x[7] - x[0], dy70 = y[7] - y[0], dz70 = z[7] - z[0];
  real_t dx63 = x[6] - x[3], dy63 = y[6] - y[3], dz63 = z[6] - z[3];
  real_t dx20 = x[2] - x[0], dy20 = y[2] - y[0], dz20 = z[2] - z[0];
  real_t dx50 = x[5] - x[0], dy50 = y[5] - y[0], dz50 = z[5] - z[0];
  real_t dx64 = x[6] - x[4], dy64 = y[6] - y[4], dz64 = z[6] - z[4];
  real_t dx31 = x[3] - x[1], dy31 = y[3] - y[1], dz31 = z[3] - z[1];
  real_t dx72 = x[7] - x[2], dy72 = y[7] - y[2], dz72 = z[7] - z[2];
  real_t dx43 = x[4] - x[3], dy43 = y[4] - y[3], dz43 = z[4] - z[3];
  real_t dx57 = x[5] - x[7], dy57 = y[5] - y[7], dz57 = z[5] - z[7];
  real_t dx14 = x[1] - x[4], dy14 = y[1] - y[4], dz14 = z[1] - z[4];
  real_t dx25 = x[2] - x[5], dy25 = y[2] - y[5], dz25 = z[2] - z[5];
  real_t volume = triple(dx31 + dx72, dx63, dx20, dy31 + dy72, dy63, dy20, dz31 + dz72, dz63, dz20) +
                  triple(dx43 + dx57, dx64, dx70, dy43 + dy57, dy64, dy70, dz43 + dz57, dz64, dz70) +
                  triple(dx14 + dx25, dx61, dx50, dy14 + dy25, dy61, dy50, dz14 + dz25, dz61, dz50);
  return volume / 12.0;
}

static void masses(domain_t *d)
{
  for (index_t k = 0; k < d->num_elem; ++k) {
    real_t x[8], y[8], z[8];
    const index_t *nodes = &d->nodelist[8 * k];
    collect(nodes, d, x, y, z);
    real_t volume = element_volume(x, y, z);
    d->volo[k] = volume;
    d->elem_mass[k] = volume;
    d->v[k] = 1.0;
    for (index_t j = 0; j < 8; ++j)
      d->nodal_mass[nodes[j]] += volume / 8.0;
  }
  d->e[0] = 3.948746e+7 * CUBE(0.1);
}

static void stress(domain_t *d)
{
  for (index_t i = 0; i < d->num_elem; ++i)
    d->sig[i] = -d->p[i] - d->q[i];
}

static void face_normal(real_t nx[8], real_t ny[8], real_t nz[8], const int c[4], const real_t x[8], const real_t y[8],
                        const real_t z[8])
{
  real_t bx0 = 0.5 * (x[c[3]] + x[c[2]] - x[c[1]] - x[c[0]]);
  real_t by0 = 0.5 * (y[c[3]] + y[c[2]] - y[c[1]] - y[c[0]]);
  real_t bz0 = 0.5 * (z[c[3]] + z[c[2]] - z[c[1]] - z[c[0]]);
  real_t bx1 = 0.5 * (x[c[2]] + x[c[1]] - x[c[3]] - x[c[0]]);
  real_t by1 = 0.5 * (y[c[2]] + y[c[1]] - y[c[3]] - y[c[0]]);
  real_t bz1 = 0.5 * (z[c[2]] + z[c[1]] - z[c[3]] - z[c[0]]);
  real_t ax = 0.25 * (by0 * bz1 - bz0 * by1);
  real_t ay = 0.25 * (bz0 * bx1 - bx0 * bz1);
  real_t az = 0.25 * (bx0 * by1 - by0 * bx1);
  for (int m = 0; m < 4; m++) {
    nx[c[m]] += ax;
    ny[c[m]] += ay;
    nz[c[m]] += az;
  }
}

static void element_forces(domain_t *d)
{
  static const int face[6][4] = {{0, 1, 2, 3}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}, {4, 7, 6, 5}};
  for (index_t k = 0; k < d->num_elem; ++k) {
    real_t x[8], y[8], z[8], nx[8] = {0}, ny[8] = {0}, nz[8] = {0};
    collect(&d->nodelist[8 * k], d, x, y, z);
    for (int f = 0; f < 6; f++)
      face_normal(nx, ny, nz, face[f], x, y, z);
    for (int c = 0; c < 8; c++) {
      d->fx_elem[8 * k + c] = -d->sig[k] * nx[c];
      d->fy_elem[8 * k + c] = -d->sig[k] * ny[c];
      d->fz_elem[8 * k + c] = -d->sig[k] * nz[c];
    }
  }
}

static void gather_forces(domain_t *d)
{
#pragma omp parallel for firstprivate(d)
  for (index_t n = 0; n < d->num_node; ++n) {
    const index_t count = d->node_elem_start[n + 1] - d->node_elem_start[n];
    const index_t *corners = &d->node_elem_corner[d->node_elem_start[n]];
    real_t sx = 0.0, sy = 0.0, sz = 0.0;
    for (index_t i = 0; i < count; ++i) {
      index_t c = corners[i];
      sx += d->fx_elem[c];
      sy += d->fy_elem[c];
      sz += d->fz_elem[c];
    }
    d->fx[n] = sx;
    d->fy[n] = sy;
    d->fz[n] = sz;
  }
}

static void accelerate(domain_t *d, real_t dt, real_t cut)
{
  for (index_t i = 0; i < d->num_node; ++i) {
    d->xdd[i] = d->fx[i] / d->nodal_mass[i];
    d->ydd[i] = d->fy[i] / d->nodal_mass[i];
    d->zdd[i] = d->fz[i] / d->nodal_mass[i];
  }
  for (index_t i = 0; i < d->num_node; ++i) {
    real_t u = d->xd[i] + d->xdd[i] * dt;
    if (fabs(u) < cut) u = 0.0;
    d->xd[i] = u;
    real_t v = d->yd[i] + d->ydd[i] * dt;
    if (fabs(v) < cut) v = 0.0;
    d->yd[i] = v;
    real_t w = d->zd[i] + d->zdd[i] * dt;
    if (fabs(w) < cut) w = 0.0;
    d->zd[i] = w;
  }
  for (index_t i = 0; i < d->num_node; ++i) {
    d->x[i] += d->xd[i] * dt;
    d->y[i] += d->yd[i] * dt;
    d->z[i] += d->zd[i] * dt;
  }
}

static void kinematics(domain_t *d, real_t dt)
{
  for (index_t k = 0; k < d->num_elem; ++k) {
    real_t x[8], y[8], z[8];
    collect(d->nodelist + 8 * k, d, x, y, z);
    real_t relative = element_volume(x, y, z) / d->volo[k];
    d->delv[k] = relative - d->v[k];
    d->vdov[k] = d->delv[k] / (relative * dt);
    d->v[k] = relative;
  }
}

static void artificial_viscosity(domain_t *d)
{
  for (index_t i = 0; i < d->num_elem; ++i) {
    real_t left = d->vdov[d->lxim[i]], right = d->vdov[d->lxip[i]];
    real_t phi = 0.5 * (left + right);
    if (d->vdov[i] < 0.0)
      d->q[i] = 0.5 * d->elem_mass[i] * d->vdov[i] * d->vdov[i] - phi * 0.001;
    else
      d->q[i] = 0.0;
  }
}

static void equation_of_state(domain_t *d)
{
  const real_t c1s = 2.0 / 3.0, pmin = 0.0;
  for (index_t i = 0; i < d->num_elem; ++i) {
    real_t compression = 1.0 / d->v[i] - 1.0;
    real_t work = 0.5 * d->delv[i] * (d->p[i] + d->q[i]);
    real_t e_new = d->e[i] - work;
    real_t bvc = c1s * (compression + 1.0);
    real_t p_new = bvc * e_new;
    p_new = MAX(p_new, pmin);
    real_t ss = (c1s * e_new + bvc * p_new) / d->elem_mass[i];
    d->ss[i] = ss <= 1.0e-20 ? 1.0e-10 : sqrt(ss);
    d->e[i] = e_new;
    d->p[i] = p_new;
  }
}

static real_t courant(const domain_t *d)
{
  real_t dt = 1.0e+20;
  for (index_t i = 0; i < d->num_elem; ++i) {
    real_t length = cbrt(d->volo[i] * d->v[i]);
    real_t limit = length / (d->ss[i] + 1.0e-12);
    if (limit < dt)
      dt = limit;
  }
  return dt;
}

int main(void)
{
  domain_t d;
  real_t dt = 1.0e-7;
  create(&d, EDGE);
  connect(&d);
  coordinates(&d);
  masses(&d);
  for (int cycle = 0; cycle < 3; cycle++) {
    stress(&d);
    element_forces(&d);
    gather_forces(&d);
    accelerate(&d, dt, 1.0e-7);
    kinematics(&d, dt);
    artificial_viscosity(&d);
    equation_of_state(&d);
    real_t limit = courant(&d);
    dt = fmin(1.1 * dt, 0.5 * limit);
  }
  printf("%.10g %.10g %.10g\n", d.e[0], d.x[d.num_node / 2], dt);
  return 0;
}
