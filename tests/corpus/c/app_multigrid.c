/* Geometric multigrid in the style of a box-structured mini-application: boxes with ghost zones, flattened ijk,
   red-black Gauss-Seidel by parity, piecewise-constant interpolation, volume-averaged restriction. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BOX_DIM
#define BOX_DIM 8
#endif
#ifndef LEVELS
#define LEVELS 3
#endif
#define BOXES_PER_SIDE 2
#define GHOSTS 1
#define PI 3.14159265358979323846

enum { VEC_U, VEC_F, VEC_RES, VEC_ALPHA, VEC_BETA_I, VEC_BETA_J, VEC_BETA_K, VEC_DINV, VEC_TEMP, NUM_VECTORS };

typedef struct { int i, j, k; } index3;

typedef struct {
  index3 low;
  int dim, ghosts;
  int jStride, kStride, volume;
  double *base;
  double *vectors[NUM_VECTORS];
} box_type;

typedef struct {
  double h, a, b;
  int box_dim, boxes_in, num_boxes;
  box_type *boxes;
} level_type;

#define DOT_STENCIL(v)                                                                                   \
  (beta_i[ijk + 1] * (v[ijk + 1] - v[ijk]) + beta_i[ijk] * (v[ijk - 1] - v[ijk]) +                       \
   beta_j[ijk + jStride] * (v[ijk + jStride] - v[ijk]) + beta_j[ijk] * (v[ijk - jStride] - v[ijk]) +     \
   beta_k[ijk + kStride] * (v[ijk + kStride] - v[ijk]) + beta_k[ijk] * (v[ijk - kStride] - v[ijk]))
#define APPLY_OP(v) (a * alpha[ijk] * v[ijk] - b * h2inv * DOT_STENCIL(v))
#define INTERIOR(box, id) ((box)->vectors[id] + (box)->ghosts * (1 + (box)->jStride + (box)->kStride))

static int create_level(level_type *level, int box_dim, int boxes_in, double a, double b)
{
  level->box_dim = box_dim;
  level->boxes_in = boxes_in;
  level->num_boxes = boxes_in * boxes_in * boxes_in;
  level->a = a;
  level->b = b;
  level->h = 1.0 / ((double)box_dim * boxes_in);
  level->boxes = (box_type *)malloc(level->num_boxes * sizeof(box_type));
  if (level->boxes == NULL)
    return 1;
  for (int n = 0; n < level->num_boxes; n++) {
    box_type *box = level->boxes + n;
    box->low.i = (n % boxes_in) * box_dim;
    box->low.j = ((n / boxes_in) % boxes_in) * box_dim;
    box->low.k = (n / (boxes_in * boxes_in)) * box_dim;
    box->dim = box_dim;
    box->ghosts = GHOSTS;
    box->jStride = box_dim + 2 * GHOSTS;
    box->kStride = box->jStride * (box_dim + 2 * GHOSTS);
    box->volume = box->kStride * (box_dim + 2 * GHOSTS);
    box->base = (double *)malloc((size_t)NUM_VECTORS * box->volume * sizeof(double));
    if (!box->base)
      return 1;
    memset(box->base, 0, (size_t)NUM_VECTORS * box->volume * sizeof(double));
    for (int v = 0; v < NUM_VECTORS; v++)
      box->vectors[v] = box->base + v * box->volume;
  }
  return 0;
}

static void destroy_level(level_type *level)
{
  for (int n = 0; n < level->num_boxes; n++)
    free(level->boxes[n].base);
  free(level->boxes);
}

static void zero_vector(level_type *level, int id)
{
  int box;
#pragma omp parallel for private(box)
  for (box = 0; box < level->num_boxes; box++) {
    int i, j, k;
    const int jStride = level->boxes[box].jStride;
    const int kStride = level->boxes[box].kStride;
    const int ghosts = level->boxes[box].ghosts;
    const int dim = level->boxes[box].dim;
    double *restrict grid = level->boxes[box].vectors[id] + ghosts * (1 + jStride + kStride);
    for (k = -ghosts; k < dim + ghosts; k++)
      for (j = -ghosts; j < dim + ghosts; j++)
        for (i = -ghosts; i < dim + ghosts; i++) {
          int ijk = i + j * jStride + k * kStride;
          grid[ijk] = 0.0;
        }
  }
}

static void initialise(level_type *level)
{
  const double h = level->h;
  for (int n = 0; n < level->num_boxes; n++) {
    box_type *box = &level->boxes[n];
    const int jStride = box->jStride, kStride = box->kStride, dim = box->dim;
    double *f = INTERIOR(box, VEC_F), *alpha = INTERIOR(box, VEC_ALPHA);
    double *beta_i = INTERIOR(box, VEC_BETA_I), *beta_j = INTERIOR(box, VEC_BETA_J);
    double *beta_k = INTERIOR(box, VEC_BETA_K);
    for (int k = 0; k <= dim; k++)
      for (int j = 0; j <= dim; j++)
        for (int i = 0; i <= dim; i++) {
          int ijk = i + j * jStride + k * kStride;
          double x = h * ((double)(i + box->low.i) + 0.5);
          double y = h * ((double)(j + box->low.j) + 0.5);
          double z = h * ((double)(k + box->low.k) + 0.5);
          f[ijk] = sin(2.0 * PI * x) * sin(2.0 * PI * y) * sin(2.0 * PI * z);
          alpha[ijk] = 1.0;
          beta_i[ijk] = 1.0 + 0.25 * x;
          beta_j[ijk] = 1.0 + 0.25 * y;
          beta_k[ijk] = 1.0 + 0.25 * z;
        }
  }
}

static void rebuild_dinv(level_type *level)
{
  const double a = level->a, b = level->b, h2inv = 1.0 / (level->h * level->h);
  for (int n = 0; n < level->num_boxes; n++) {
    box_type *box = &level->boxes[n];
    const int jStride = box->jStride, kStride = box->kStride;
    const double *restrict alpha = INTERIOR(box, VEC_ALPHA);
    const double *restrict beta_i = INTERIOR(box, VEC_BETA_I);
    const double *restrict beta_j = INTERIOR(box, VEC_BETA_J);
    const double *restrict beta_k = INTERIOR(box, VEC_BETA_K);
    double *restrict dinv = INTERIOR(box, VEC_DINV);
    for (int k = 0; k < box->dim; k++)
      for (int j = 0; j < box->dim; j++)
        for (int i = 0; i < box->dim; i++) {
          int ijk = i + j * jStride + k * kStride;
          double sum = beta_i[ijk] + beta_i[ijk + 1] + beta_j[ijk] + beta_j[ijk + jStride] + beta_k[ijk] + beta_k[ijk + kStride];
          dinv[ijk] = 1.0 / (a * alpha[ijk] + b * h2inv * sum);
        }
  }
}

static void exchange_boundary(level_type *level, int id)
{
  const int side = level->boxes_in;
  for (int n = 0; n < level->num_boxes; n++) {
    box_type *box = &level->boxes[n];
    const int dim = box->dim, jStride = box->jStride, kStride = box->kStride;
    const int bi = n % side, bj = (n / side) % side, bk = n / (side * side);
    const double *restrict left = INTERIOR(&level->boxes[(bi + side - 1) % side + side * (bj + side * bk)], id);
    const double *restrict right = INTERIOR(&level->boxes[(bi + 1) % side + side * (bj + side * bk)], id);
    const double *restrict front = INTERIOR(&level->boxes[bi + side * ((bj + side - 1) % side + side * bk)], id);
    const double *restrict back = INTERIOR(&level->boxes[bi + side * ((bj + 1) % side + side * bk)], id);
    const double *restrict down = INTERIOR(&level->boxes[bi + side * (bj + side * ((bk + side - 1) % side))], id);
    const double *restrict up = INTERIOR(&level->boxes[bi + side * (bj + side * ((bk + 1) % side))], id);
    double *restrict grid = INTERIOR(box, id);
    for (int k = 0; k < dim; k++)
      for (int j = 0; j < dim; j++) {
        grid[-1 + j * jStride + k * kStride] = left[dim - 1 + j * jStride + k * kStride];
        grid[dim + j * jStride + k * kStride] = right[j * jStride + k * kStride];
      }
    for (int k = 0; k < dim; k++)
      for (int i = 0; i < dim; i++) {
        grid[i - jStride + k * kStride] = front[i + (dim - 1) * jStride + k * kStride];
        grid[i + dim * jStride + k * kStride] = back[i + k * kStride];
      }
    for (int j = 0; j < dim; j++)
      for (int i = 0; i < dim; i++) {
        grid[i + j * jStride - kStride] = down[i + j * jStride + (dim - 1) * kStride];
        grid[i + j * jStride + dim * kStride] = up[i + j * jStride];
      }
  }
}

static void smooth(level_type *level, int phi_id, int rhs_id, int sweeps)
{
  int s, box;
  for (s = 0; s < 2 * sweeps; s++) {
    exchange_boundary(level, phi_id);
#pragma omp parallel for private(box)
    for (box = 0; box < level->num_boxes; box++) {
      int i, j, k;
      const int jStride = level->boxes[box].jStride;
      const int kStride = level->boxes[box].kStride;
      const int ghosts = level->boxes[box].ghosts;
      const int dim = level->boxes[box].dim;
      const double h2inv = 1.0 / (level->h * level->h), a = level->a, b = level->b;
      const double *restrict rhs = level->boxes[box].vectors[rhs_id] + ghosts * (1 + jStride + kStride);
      const double *restrict alpha = level->boxes[box].vectors[VEC_ALPHA] + ghosts * (1 + jStride + kStride);
      const double *restrict beta_i = level->boxes[box].vectors[VEC_BETA_I] + ghosts * (1 + jStride + kStride);
      const double *restrict beta_j = level->boxes[box].vectors[VEC_BETA_J] + ghosts * (1 + jStride + kStride);
      const double *restrict beta_k = level->boxes[box].vectors[VEC_BETA_K] + ghosts * (1 + jStride + kStride);
      const double *restrict dinv = level->boxes[box].vectors[VEC_DINV] + ghosts * (1 + jStride + kStride);
      double *phi = level->boxes[box].vectors[phi_id] + ghosts * (1 + jStride + kStride);
      for (k = 0; k < dim; k++) {
        for (j = 0; j < dim; j++) {
          for (i = ((j ^ k ^ s ^ 1) & 1); i < dim; i += 2) {
            int ijk = i + j * jStride + k * kStride;
            double Ax = APPLY_OP(phi);
            phi[ijk] = phi[ijk] + dinv[ijk] * (rhs[ijk] - Ax);
          }
        }
      }
    }
  }
}

static void residual(level_type *level, int res_id, int x_id, int rhs_id)
{
  exchange_boundary(level, x_id);
  const double h2inv = 1.0 / (level->h * level->h), a = level->a, b = level->b;
  for (int n = 0; n < level->num_boxes; n++) {
    box_type *box = level->boxes + n;
    const int jStride = box->jStride, kStride = box->kStride, dim = box->dim;
    const double *restrict x = INTERIOR(box, x_id), *restrict rhs = INTERIOR(box, rhs_id);
    const double *restrict alpha = INTERIOR(box, VEC_ALPHA), *restrict beta_i = INTERIOR(box, VEC_BETA_I);
    const double *restrict beta_j = INTERIOR(box, VEC_BETA_J), *restrict beta_k = INTERIOR(box, VEC_BETA_K);
    double *restrict res = INTERIOR(box, res_id);
    for (int k = 0; k < dim; k++)
      for (int j = 0; j < dim; j++)
        for (int i = 0; i < dim; i++) {
          const int ijk = i + j * jStride + k * kStride;
          res[ijk] = rhs[ijk] - APPLY_OP(x);
        }
  }
}

static void restriction(level_type *coarse, int id_c, level_type *fine, int id_f)
{
  for (int n = 0; n < coarse->num_boxes; n++) {
    const box_type *fb = &fine->boxes[n];
    box_type *cb = &coarse->boxes[n];
    const double *restrict f = INTERIOR(fb, id_f);
    double *restrict c = INTERIOR(cb, id_c);
    const int fj = fb->jStride, fk = fb->kStride;
    for (int k = 0; k < cb->dim; k++)
      for (int j = 0; j < cb->dim; j++)
        for (int i = 0; i < cb->dim; i++) {
          int fine_ijk = 2 * i + 2 * j * fj + 2 * k * fk;
          c[i + j * cb->jStride + k * cb->kStride] =
              (f[fine_ijk] + f[fine_ijk + 1] + f[fine_ijk + fj] + f[fine_ijk + fj + 1] + f[fine_ijk + fk] +
               f[fine_ijk + 1 + fk] + f[fine_ijk + fj + fk] + f[fine_ijk + 1 + fj + fk]) * 0.125;
        }
  }
}

static void interpolation(level_type *fine, int id_f, double scale, level_type *coarse, int id_c)
{
  for (int n = 0; n < fine->num_boxes; n++) {
    box_type *fb = &fine->boxes[n];
    const box_type *cb = &coarse->boxes[n];
    double *restrict f = INTERIOR(fb, id_f);
    const double *restrict c = INTERIOR(cb, id_c);
    for (int k = 0; k < fb->dim; k++)
      for (int j = 0; j < fb->dim; j++)
        for (int i = 0; i < fb->dim; i++) {
          int f_ijk = i + j * fb->jStride + k * fb->kStride;
          int c_ijk = (i >> 1) + (j >> 1) * cb->jStride + (k >> 1) * cb->kStride;
          f[f_ijk] = scale * f[f_ijk] + c[c_ijk];
        }
  }
}

static double norm(const level_type *level, int id)
{
  double max_norm = 0.0;
  for (int n = 0; n < level->num_boxes; n++) {
    const box_type *box = &level->boxes[n];
    const double *grid = INTERIOR(box, id);
    double box_norm = 0.0;
    for (int k = 0; k < box->dim; k++)
      for (int j = 0; j < box->dim; j++)
        for (int i = 0; i < box->dim; i++) {
          double value = fabs(grid[i + j * box->jStride + k * box->kStride]);
          if (value > box_norm)
            box_norm = value;
        }
    if (box_norm > max_norm)
      max_norm = box_norm;
  }
  return max_norm;
}

static double dot(const level_type *level, int id_a, int id_b)
{
  double sum = 0.0;
  for (int n = 0; n < level->num_boxes; n++) {
    const box_type *box = &level->boxes[n];
    const double *restrict p = INTERIOR(box, id_a), *restrict q = INTERIOR(box, id_b);
    for (int k = 0; k < box->dim; k++)
      for (int j = 0; j < box->dim; j++)
        for (int i = 0; i < box->dim; i++) {
          int ijk = i + j * box->jStride + k * box->kStride;
          sum += p[ijk] * q[ijk];
        }
  }
  return sum;
}

static void vcycle(level_type *levels, int l)
{
  if (l == LEVELS - 1) {
    smooth(&levels[l], VEC_U, VEC_F, 4);
    return;
  }
  smooth(&levels[l], VEC_U, VEC_F, 2);
  residual(&levels[l], VEC_RES, VEC_U, VEC_F);
  restriction(&levels[l + 1], VEC_F, &levels[l], VEC_RES);
  zero_vector(&levels[l + 1], VEC_U);
  vcycle(levels, l + 1);
  interpolation(&levels[l], VEC_U, 1.0, &levels[l + 1], VEC_U);
  smooth(&levels[l], VEC_U, VEC_F, 2);
}

int main(void)
{
  level_type levels[LEVELS];
  int dim = BOX_DIM, status = 0;
  for (int l = 0; l < LEVELS; l++, dim /= 2) {
    if (create_level(&levels[l], dim, BOXES_PER_SIDE, 1.0, 1.0)) {
      fprintf(stderr, "out of memory\n");
      return 1;
    }
    initialise(&levels[l]);
    rebuild_dinv(&levels[l]);
  }
  zero_vector(&levels[0], VEC_U);
  for (int cycle = 0; cycle < 2; cycle++)
    vcycle(levels, 0);
  residual(&levels[0], VEC_RES, VEC_U, VEC_F);
  double residual = norm(&levels[0], VEC_RES), product = dot(&levels[0], VEC_U, VEC_F);
  printf("%.10g %.10g\n", residual, product);
  for (int l = 0; l < LEVELS; l++)
    destroy_level(&levels[l]);
  return status;
}
