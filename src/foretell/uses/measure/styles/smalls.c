/* Small matrices in structs, calls through pointers, blocks of quantised numbers, factorisations without blocks. */
#include <math.h>
#include <stdint.h>
#include <string.h>

struct mat4 {
  float m[4][4];
};

struct vec4 {
  float x, y, z, w;
};

struct quat {
  double w, x, y, z;
};

struct op {
  int kind;
  double value;
};

typedef struct {
  float d;
  uint32_t high;
  uint8_t low[16];
} block5;

void transform_points(const struct mat4 *m, const struct vec4 *in, struct vec4 *out, int n) {
  for (int i = 0; i < n; i++) {
    struct vec4 p = in[i];
    out[i].x = m->m[0][0] * p.x + m->m[0][1] * p.y + m->m[0][2] * p.z + m->m[0][3] * p.w;
    out[i].y = m->m[1][0] * p.x + m->m[1][1] * p.y + m->m[1][2] * p.z + m->m[1][3] * p.w;
    out[i].z = m->m[2][0] * p.x + m->m[2][1] * p.y + m->m[2][2] * p.z + m->m[2][3] * p.w;
    out[i].w = m->m[3][0] * p.x + m->m[3][1] * p.y + m->m[3][2] * p.z + m->m[3][3] * p.w;
  }
}

static struct mat4 product(struct mat4 a, struct mat4 b) {
  struct mat4 c;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      float s = 0;
      for (int k = 0; k < 4; k++) s += a.m[i][k] * b.m[k][j];
      c.m[i][j] = s;
    }
  return c;
}

void chain_matrices(const struct mat4 *parts, struct mat4 *world, const int *parent, int n) {
  for (int i = 1; i < n; i++) world[i] = product(world[parent[i]], parts[i]);
}

void quat_products(const struct quat *a, const struct quat *b, struct quat *c, int n) {
  for (int i = 0; i < n; i++) {
    c[i].w = a[i].w * b[i].w - a[i].x * b[i].x - a[i].y * b[i].y - a[i].z * b[i].z;
    c[i].x = a[i].w * b[i].x + a[i].x * b[i].w + a[i].y * b[i].z - a[i].z * b[i].y;
    c[i].y = a[i].w * b[i].y - a[i].x * b[i].z + a[i].y * b[i].w + a[i].z * b[i].x;
    c[i].z = a[i].w * b[i].z + a[i].x * b[i].y - a[i].y * b[i].x + a[i].z * b[i].w;
  }
}

static double half(double x) { return 0.5 * x; }

static void apply_function(double (*f)(double), const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = (f ? f : half)(x[i]);
}

void apply_half(const double *x, double *y, int n) {
  apply_function(half, x, y, n);
}

double run_program(const struct op *code, int n) {
  double stack[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  int top = 3;
  for (int i = 0; i < n; i++) {
    switch (code[i].kind) {
    case 0: stack[top] += code[i].value; break;
    case 1: stack[top] *= code[i].value; break;
    case 2: stack[top] -= stack[top - 1]; break;
    case 3: stack[top] = stack[top] * 0.5 + 1; break;
    default: stack[top - 1] = stack[top]; break;
    }
  }
  return stack[top];
}

float dot_five_bits(int blocks, const block5 *a, const int8_t *b) {
  float sum = 0;
  for (int i = 0; i < blocks; i++) {
    int s = 0;
    for (int j = 0; j < 16; j++) {
      int x0 = (a[i].low[j] & 15) | ((a[i].high >> j & 1) << 4), x1 = (a[i].low[j] >> 4) | ((a[i].high >> (j + 16) & 1) << 4);
      s += (x0 - 16) * b[32 * i + j] + (x1 - 16) * b[32 * i + j + 16];
    }
    sum += a[i].d * s;
  }
  return sum;
}

void cholesky_lower(const double *from, double *a, int n) {
  memcpy(a, from, sizeof(double) * n * n);
  for (int j = 0; j < n; j++) {
    double d = a[j * n + j];
    for (int k = 0; k < j; k++) d -= a[j * n + k] * a[j * n + k];
    d = sqrt(d);
    a[j * n + j] = d;
    for (int i = j + 1; i < n; i++) {
      double s = a[i * n + j];
      for (int k = 0; k < j; k++) s -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = s / d;
    }
  }
}

void lu_rows(const double *from, double *a, int n) {
  memcpy(a, from, sizeof(double) * n * n);
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}

void correlation_vla(int m, int n, double data[n][m], double out[m][m]) {
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) {
      out[i][j] = 0;
      for (int k = 0; k < n; k++) out[i][j] += data[k][i] * data[k][j];
      out[i][j] /= n - 1.0;
      out[j][i] = out[i][j];
    }
}

void lower_sparse(int n, const int *first, const int *column, const double *value, const double *b, double *x) {
  for (int i = 0; i < n; i++) {
    double s = b[i];
    for (int k = first[i]; k < first[i + 1] - 1; k++) s -= value[k] * x[column[k]];
    x[i] = s / value[first[i + 1] - 1];
  }
}

void bit_reversed(const double *in, double *out, int bits) {
  for (int i = 0; i < 1 << bits; i++) {
    int r = 0;
    for (int k = 0; k < bits; k++) r |= (i >> k & 1) << (bits - 1 - k);
    out[r] = in[i];
  }
}

double ring_echo(const double *x, double *y, double *ring, int mask, int delay, int n) {
  double last = 0;
  for (int i = 0; i < n; i++) {
    last = x[i] + 0.5 * ring[(i - delay) & mask];
    ring[i & mask] = last;
    y[i] = last;
  }
  return last;
}
