/* The variable-coefficient Helmholtz operator with the boundary condition fused in: a*alpha*x - b*h2inv*sum of
   beta*(valid_n*(x + x_n) - 2x); residual and red-black smoother, as the rows of ExaSAT's Figs. 7 and 8 want them. */
#include <stdio.h>
#include <stdlib.h>
#ifndef DIM
#define DIM 8
#endif
#define X(o) x[ijk + (o)]
#define TERM(beta, o) ((beta) * (valid[ijk + (o)] * (x[ijk] + X(o)) - 2.0 * x[ijk]))
#define APPLY_OP                                                                                            \
  (a * alpha[ijk] * x[ijk] -                                                                                \
   b * h2inv * (TERM(beta_i[ijk], -1) + TERM(beta_i[ijk + 1], +1) + TERM(beta_j[ijk], -jStride) +           \
                TERM(beta_j[ijk + jStride], +jStride) + TERM(beta_k[ijk], -kStride) +                       \
                TERM(beta_k[ijk + kStride], +kStride)))
#define DIAGONAL                                                                                            \
  (a * alpha[ijk] -                                                                                         \
   b * h2inv * (beta_i[ijk] * (valid[ijk - 1] - 2.0) + beta_i[ijk + 1] * (valid[ijk + 1] - 2.0) +           \
                beta_j[ijk] * (valid[ijk - jStride] - 2.0) +                                                \
                beta_j[ijk + jStride] * (valid[ijk + jStride] - 2.0) +                                      \
                beta_k[ijk] * (valid[ijk - kStride] - 2.0) +                                                \
                beta_k[ijk + kStride] * (valid[ijk + kStride] - 2.0)))

void residual(double *restrict res, const double *restrict x, const double *restrict rhs,
              const double *restrict alpha, const double *restrict beta_i, const double *restrict beta_j,
              const double *restrict beta_k, const double *restrict valid, double a, double b, double h2inv,
              int dim, int jStride, int kStride)
{
  int i, j, k;
  for (k = 0; k < dim; k++)
    for (j = 0; j < dim; j++)
      for (i = 0; i < dim; i++) {
        int ijk = i + j * jStride + k * kStride;
        double Ax = APPLY_OP;
        res[ijk] = rhs[ijk] - Ax;
      }
}

void smooth(double *x, const double *restrict rhs, const double *restrict alpha, const double *restrict beta_i,
            const double *restrict beta_j, const double *restrict beta_k, const double *restrict valid, double a,
            double b, double h2inv, int dim, int jStride, int kStride, int s)
{
  int i, j, k;
  for (k = 0; k < dim; k++)
    for (j = 0; j < dim; j++)
      for (i = ((j ^ k ^ s) & 1); i < dim; i += 2) {
        int ijk = i + j * jStride + k * kStride;
        double Ax = APPLY_OP;
        double Dinv = 1.0 / DIAGONAL;
        x[ijk] = x[ijk] + Dinv * (rhs[ijk] - Ax);
      }
}

int main(void)
{
  const int jStride = DIM + 2, kStride = jStride * jStride, volume = kStride * (DIM + 2);
  const int origin = 1 + jStride + kStride;
  double *store = malloc(8 * volume * sizeof(double)), *f[8];
  for (int m = 0; m < 8; m++)
    f[m] = store + m * volume;
  for (int n = 0; n < 8 * volume; n++)
    store[n] = 1.0 + (n % 13) * 0.01;
  for (int s = 0; s < 2; s++)
    smooth(f[0] + origin, f[1] + origin, f[2] + origin, f[3] + origin, f[4] + origin, f[5] + origin, f[6] + origin,
           1.0, 1.0, 4.0, DIM, jStride, kStride, s);
  residual(f[7] + origin, f[0] + origin, f[1] + origin, f[2] + origin, f[3] + origin, f[4] + origin, f[5] + origin,
           f[6] + origin, 1.0, 1.0, 4.0, DIM, jStride, kStride);
  printf("%.12g %.12g\n", f[0][origin], f[7][origin + 1]);
  free(store);
  return 0;
}
