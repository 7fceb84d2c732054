/* Arrays reached through structs of arrays of pointers: level->box[b].vec[id][ijk], with ghosts added to the pointer. */
#include <stdio.h>
#include <stdlib.h>
#ifndef DIM
#define DIM 6
#endif
#ifndef BOXES
#define BOXES 3
#endif
#define VECTORS 3
typedef struct { int dim, ghosts, jStride, kStride, volume; double *vec[VECTORS]; } box_t;
typedef struct { int num; box_t *box; double h; } level_t;

static void create(level_t *level, int num, int dim, int ghosts)
{
  level->num = num;
  level->h = 1.0 / dim;
  level->box = (box_t *)malloc(num * sizeof(box_t));
  for (int b = 0; b < num; b++) {
    box_t *x = &level->box[b];
    x->dim = dim;
    x->ghosts = ghosts;
    x->jStride = dim + 2 * ghosts;
    x->kStride = x->jStride * x->jStride;
    x->volume = x->kStride * x->jStride;
    for (int v = 0; v < VECTORS; v++)
      x->vec[v] = (double *)calloc(x->volume, sizeof(double));
  }
}

static void add_vectors(level_t *level, int c, int a, int b, double alpha)
{
  for (int box = 0; box < level->num; box++) {
    const int jStride = level->box[box].jStride, kStride = level->box[box].kStride;
    const int ghosts = level->box[box].ghosts, dim = level->box[box].dim;
    double *restrict vc = level->box[box].vec[c] + ghosts * (1 + jStride + kStride);
    const double *restrict va = level->box[box].vec[a] + ghosts * (1 + jStride + kStride);
    const double *restrict vb = level->box[box].vec[b] + ghosts * (1 + jStride + kStride);
    for (int k = 0; k < dim; k++)
      for (int j = 0; j < dim; j++)
        for (int i = 0; i < dim; i++) {
          int ijk = i + j * jStride + k * kStride;
          vc[ijk] = va[ijk] + alpha * (vb[ijk + 1] - vb[ijk - 1]);
        }
  }
}

int main(void)
{
  level_t level;
  create(&level, BOXES, DIM, 1);
  for (int b = 0; b < level.num; b++)
    for (int n = 0; n < level.box[b].volume; n++) {
      level.box[b].vec[0][n] = n * 0.1;
      level.box[b].vec[1][n] = n * 0.2;
    }
  add_vectors(&level, 2, 0, 1, 0.5);
  printf("%.12g\n", level.box[1].vec[2][level.box[1].volume / 2]);
  for (int b = 0; b < level.num; b++)
    for (int v = 0; v < VECTORS; v++)
      free(level.box[b].vec[v]);
  free(level.box);
  return 0;
}
