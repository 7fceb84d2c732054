/* Dense algorithms on plain pointers with a computed index. */
#include <math.h>
#include <stddef.h>
#define IDX(i, j, ld) ((i) * (ld) + (j))

void gemver_flat(int n, double alpha, double beta, double *A, double *u1, double *v1, double *u2, double *v2, double *w,
                 double *x, double *y, double *z) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) A[i * n + j] = A[i * n + j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x[i] = x[i] + beta * A[j * n + i] * y[j];
  for (int i = 0; i < n; i++) x[i] = x[i] + z[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) w[i] = w[i] + alpha * A[i * n + j] * x[j];
}

void mvt_flat(size_t n, double *x1, double *x2, const double *y1, const double *y2, const double *A) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) x1[i] = x1[i] + A[i * n + j] * y1[j];
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) x2[i] = x2[i] + A[j * n + i] * y2[j];
}

void syrk_flat(int n, int m, double alpha, double beta, double *C, double *A) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) C[IDX(i, j, n)] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++) C[IDX(i, j, n)] += alpha * A[IDX(i, k, m)] * A[IDX(j, k, m)];
  }
}

void syr2k_flat(int n, int m, double alpha, double beta, double *C, double *A, double *B) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) C[IDX(i, j, n)] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        C[IDX(i, j, n)] += A[IDX(j, k, m)] * alpha * B[IDX(i, k, m)] + B[IDX(j, k, m)] * alpha * A[IDX(i, k, m)];
  }
}

void trisolv_flat(int n, double *L, double *x, double *b) {
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++) x[i] -= L[i * n + j] * x[j];
    x[i] = x[i] / L[i * n + i];
  }
}

void lu_flat(int n, double *A) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) A[i * n + j] -= A[i * n + k] * A[k * n + j];
      A[i * n + j] /= A[j * n + j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++) A[i * n + j] -= A[i * n + k] * A[k * n + j];
  }
}

void fdtd2d_flat(int nx, int ny, double *ex, double *ey, double *hz, const double *fict, int t) {
  for (int j = 0; j < ny; j++) ey[j] = fict[t];
  for (int i = 1; i < nx; i++)
    for (int j = 0; j < ny; j++) ey[i * ny + j] -= 0.5 * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
  for (int i = 0; i < nx; i++)
    for (int j = 1; j < ny; j++) ex[i * ny + j] -= 0.5 * (hz[i * ny + j] - hz[i * ny + j - 1]);
  for (int i = 0; i < nx - 1; i++)
    for (int j = 0; j < ny - 1; j++)
      hz[i * ny + j] -= 0.7 * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}

void seidel2d_flat(int n, double *A) {
  for (int i = 1; i <= n - 2; i++)
    for (int j = 1; j <= n - 2; j++)
      A[i * n + j] = (A[(i - 1) * n + j - 1] + A[(i - 1) * n + j] + A[(i - 1) * n + j + 1] + A[i * n + j - 1] + A[i * n + j] +
                      A[i * n + j + 1] + A[(i + 1) * n + j - 1] + A[(i + 1) * n + j] + A[(i + 1) * n + j + 1]) / 9.0;
}

static int pairs(char a, char b) { return a + b == 3 ? 1 : 0; }
static int larger(int a, int b) { return a >= b ? a : b; }

void nussinov_flat(int n, const char *seq, int *table) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      if (j - 1 >= 0) table[i * n + j] = larger(table[i * n + j], table[i * n + j - 1]);
      if (i + 1 < n) table[i * n + j] = larger(table[i * n + j], table[(i + 1) * n + j]);
      if (j - 1 >= 0 && i + 1 < n) {
        if (i < j - 1)
          table[i * n + j] = larger(table[i * n + j], table[(i + 1) * n + j - 1] + pairs(seq[i], seq[j]));
        else
          table[i * n + j] = larger(table[i * n + j], table[(i + 1) * n + j - 1]);
      }
      for (int k = i + 1; k < j; k++)
        table[i * n + j] = larger(table[i * n + j], table[i * n + k] + table[(k + 1) * n + j]);
    }
}

/* The product of a textbook, in the order in which it is written on a blackboard. */
void matmul_textbook(int n, double *a, double *b, double *c) {
  int i, j, k;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      c[i * n + j] = 0;
      for (k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}

float distance_flat(int n, float *p, float *q) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += (p[i] - q[i]) * (p[i] - q[i]);
  return sqrtf(sum);
}

void prefix_flat(int n, double *a) {
  for (int i = 1; i < n; i++) a[i] = 0.5 * a[i - 1] + a[i];
}
