/* Data behind structs: matrices with their sizes, grids, particles as records and as structs of arrays. */
#include <stdlib.h>

typedef struct {
  int rows, cols;
  double *data;
} matrix;

typedef struct {
  int nx, ny;
  double dx, dy;
  double *old, *now, *rhs;
} grid;

typedef struct {
  double x, y, z, vx, vy, vz, mass;
  int kind;
} body;

typedef struct {
  int count;
  float *x, *y, *z, *vx, *vy, *vz;
} cloud;

struct node {
  double value;
  struct node *next;
};

struct image {
  int width, height;
  unsigned char **line;
};

void matrix_product(matrix *c, const matrix *a, const matrix *b) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->cols; j++) {
      double s = 0;
      for (int k = 0; k < a->cols; k++) s += a->data[i * a->cols + k] * b->data[k * b->cols + j];
      c->data[i * c->cols + j] = s;
    }
}

void matrix_times_vector(const matrix *a, const double *x, double *y) {
  for (int i = 0; i < a->rows; i++) {
    y[i] = 0;
    for (int j = 0; j < a->cols; j++) y[i] += a->data[i * a->cols + j] * x[j];
  }
}

void matrix_transpose(const matrix *a, matrix *t) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < a->cols; j++) t->data[j * t->cols + i] = a->data[i * a->cols + j];
}

void matrix_add_scaled(matrix *a, double s, const matrix *b) {
  for (int i = 0; i < a->rows * a->cols; i++) a->data[i] += s * b->data[i];
}

double grid_relax(grid *g) {
  double sum = 0, cx = 1 / (g->dx * g->dx), cy = 1 / (g->dy * g->dy);
  for (int i = 1; i < g->nx - 1; i++)
    for (int j = 1; j < g->ny - 1; j++) {
      int p = i * g->ny + j;
      double r = cx * (g->old[p - g->ny] + g->old[p + g->ny]) + cy * (g->old[p - 1] + g->old[p + 1]) - g->rhs[p];
      g->now[p] = r / (2 * (cx + cy));
      sum += (g->now[p] - g->old[p]) * (g->now[p] - g->old[p]);
    }
  return sum;
}

void bodies_move(body *b, int n, double dt) {
  for (int i = 0; i < n; i++) {
    b[i].x += dt * b[i].vx;
    b[i].y += dt * b[i].vy;
    b[i].z += dt * b[i].vz;
  }
}

double bodies_energy(const body *b, int n) {
  double e = 0;
  for (int i = 0; i < n; i++)
    if (b[i].kind != 2) e += 0.5 * b[i].mass * (b[i].vx * b[i].vx + b[i].vy * b[i].vy + b[i].vz * b[i].vz);
  return e;
}

void cloud_move(cloud *c, float dt) {
  for (int i = 0; i < c->count; i++) {
    c->x[i] += dt * c->vx[i];
    c->y[i] += dt * c->vy[i];
    c->z[i] += dt * c->vz[i];
  }
}

double list_sum(const struct node *head) {
  double s = 0;
  while (head) {
    s += head->value;
    head = head->next;
  }
  return s;
}

long image_bright(const struct image *im, int limit) {
  long count = 0;
  for (int y = 0; y < im->height; y++)
    for (int x = 0; x < im->width; x++)
      if (im->line[y][x] > limit) count++;
  return count;
}
