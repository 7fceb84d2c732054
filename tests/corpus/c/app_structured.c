/* Structured-grid solver behind loop macros: box loops with strides, data access macros, boundary conditions in switch. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef NX
#define NX 8
#endif
#ifndef NY
#define NY 7
#endif
#ifndef NZ
#define NZ 6
#endif
typedef int Int;
typedef double Real;
typedef Int Index[3];
typedef struct { Index imin, imax; } Box;
typedef struct { Box space; Real *data; Int size; } Vector;
typedef struct { Int stencil_size; Int (*shape)[3]; Real *coef[7]; Box space; } Matrix;
enum boundary { DIRICHLET, NEUMANN, PERIODIC };

#define BoxSize(b, d) ((b)->imax[d] - (b)->imin[d] + 1)
#define BoxVolume(b) (BoxSize(b, 0) * BoxSize(b, 1) * BoxSize(b, 2))
#define BoxIndex(b, i, j, k) \
  (((i) - (b)->imin[0]) + BoxSize(b, 0) * (((j) - (b)->imin[1]) + BoxSize(b, 1) * ((k) - (b)->imin[2])))
#define BoxLoop(b, i, j, k)                                      \
  for (Int k = (b)->imin[2]; k <= (b)->imax[2]; k++)             \
    for (Int j = (b)->imin[1]; j <= (b)->imax[1]; j++)           \
      for (Int i = (b)->imin[0]; i <= (b)->imax[0]; i++)
#define TAlloc(type, count) ((type *)malloc((size_t)(count) * sizeof(type)))

static Int offsets[7][3] = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};

static void box_set(Box *b, Int grow)
{
  const Int n[3] = {NX, NY, NZ};
  for (Int d = 0; d < 3; d++) {
    b->imin[d] = -grow;
    b->imax[d] = n[d] - 1 + grow;
  }
}

static Vector *vector_new(Real value)
{
  Vector *v = TAlloc(Vector, 1);
  box_set(&v->space, 1);
  v->size = BoxVolume(&v->space);
  v->data = TAlloc(Real, v->size);
  for (Int i = 0; i < v->size; i++)
    v->data[i] = value;
  return v;
}

static Matrix *matrix_new(const Box *inside)
{
  Matrix *m = TAlloc(Matrix, 1);
  m->stencil_size = 7;
  m->shape = offsets;
  box_set(&m->space, 0);
  for (Int s = 0; s < m->stencil_size; s++) {
    m->coef[s] = TAlloc(Real, BoxVolume(&m->space));
    BoxLoop(inside, i, j, k) m->coef[s][BoxIndex(&m->space, i, j, k)] = s == 0 ? 6.5 : -1.0;
  }
  return m;
}

static void apply_boundary(Vector *v, enum boundary kind)
{
  const Box *b = &v->space;
  Real *u = v->data;
  switch (kind) {
  case DIRICHLET:
    for (Int k = b->imin[2]; k <= b->imax[2]; k++)
      for (Int j = b->imin[1]; j <= b->imax[1]; j++) {
        u[BoxIndex(b, b->imin[0], j, k)] = 0.0;
        u[BoxIndex(b, b->imax[0], j, k)] = 0.0;
      }
    break;
  case NEUMANN:
    for (Int k = b->imin[2]; k <= b->imax[2]; k++)
      for (Int i = b->imin[0]; i <= b->imax[0]; i++) {
        u[BoxIndex(b, i, b->imin[1], k)] = u[BoxIndex(b, i, b->imin[1] + 1, k)];
        u[BoxIndex(b, i, b->imax[1], k)] = u[BoxIndex(b, i, b->imax[1] - 1, k)];
      }
    break;
  case PERIODIC:
    for (Int j = b->imin[1]; j <= b->imax[1]; j++)
      for (Int i = b->imin[0]; i <= b->imax[0]; i++) {
        u[BoxIndex(b, i, j, b->imin[2])] = u[BoxIndex(b, i, j, b->imax[2] - 1)];
        u[BoxIndex(b, i, j, b->imax[2])] = u[BoxIndex(b, i, j, b->imin[2] + 1)];
      }
    break;
  }
}

/* y = A x, the stencil as a loop over its entries */
static void matvec(const Matrix *A, const Vector *x, Vector *y, const Box *inside)
{
  BoxLoop(inside, i, j, k) y->data[BoxIndex(&y->space, i, j, k)] = 0.0;
  for (Int s = 0; s < A->stencil_size; s++) {
    const Int *off = A->shape[s];
    const Real *c = A->coef[s];
    BoxLoop(inside, i, j, k)
    {
      Int xi = BoxIndex(&x->space, i + off[0], j + off[1], k + off[2]);
      y->data[BoxIndex(&y->space, i, j, k)] += c[BoxIndex(&A->space, i, j, k)] * x->data[xi];
    }
  }
}

static Real dot(const Vector *x, const Vector *y, const Box *inside)
{
  Real sum = 0.0;
  BoxLoop(inside, i, j, k) sum += x->data[BoxIndex(&x->space, i, j, k)] * y->data[BoxIndex(&y->space, i, j, k)];
  return sum;
}

static void axpy(Real a, const Vector *x, Vector *y)
{
  const Real *xp = x->data;
  Real *yp = y->data;
  for (Int n = x->size; n > 0; n--)
    *yp++ += a * *xp++;
}

static void xpay(const Vector *x, Real a, Vector *y)
{
  Real *restrict yp = y->data;
  const Real *restrict xp = x->data;
  for (Int n = 0; n < y->size; n++)
    yp[n] = xp[n] + a * yp[n];
}

/* weighted Jacobi on one colour of a strided grid, coarse points every second */
static void relax_coarse(Vector *x, const Vector *b, Real weight)
{
  const Int stride[3] = {2, 2, 1};
  const Box *s = &x->space;
  const Int sy = BoxSize(s, 0), sz = sy * BoxSize(s, 1);
  for (Int k = 0; k < NZ; k += stride[2])
    for (Int j = 0; j < NY; j += stride[1])
      for (Int i = 0; i < NX; i += stride[0]) {
        Int p = BoxIndex(s, i, j, k);
        Real r = b->data[p] - (6.5 * x->data[p] - x->data[p - 1] - x->data[p + 1] - x->data[p - sy] - x->data[p + sy] -
                               x->data[p - sz] - x->data[p + sz]);
        x->data[p] += weight * r / 6.5;
      }
}

int main(void)
{
  Box inside;
  box_set(&inside, 0);
  Matrix *A = matrix_new(&inside);
  Vector *x = vector_new(0.0), *b = vector_new(0.0), *r = vector_new(0.0), *p = vector_new(0.0), *q = vector_new(0.0);
  BoxLoop(&inside, i, j, k) b->data[BoxIndex(&b->space, i, j, k)] = 1.0 + 0.1 * (i + j - k);
  for (Int n = 0; n < r->size; n++)
    r->data[n] = b->data[n];
  Real rho = dot(r, r, &inside), rho0 = rho;
  xpay(r, 0.0, p);
  for (Int it = 0; it < 4; it++) {
    apply_boundary(p, DIRICHLET);
    matvec(A, p, q, &inside);
    Real alpha = rho / dot(p, q, &inside);
    axpy(alpha, p, x);
    axpy(-alpha, q, r);
    Real rho_new = dot(r, r, &inside);
    xpay(r, rho_new / rho, p);
    rho = rho_new;
  }
  apply_boundary(x, NEUMANN);
  apply_boundary(x, PERIODIC);
  relax_coarse(x, b, 0.8);
  printf("%.10g %.10g\n", sqrt(rho / rho0), dot(x, x, &inside));
  return 0;
}
