/* More loops for compare.py: short inner ones, indices, functions, complex numbers, stencils. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- short inner loops */

void row_sums8(long n, const double x[restrict][8], double *restrict r) {
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < 8; j++) s += x[i][j];
    r[i] = s;
  }
}

void taps5(long n, const double *restrict x, const double *restrict c, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k < 5; k++) s += c[k] * x[i + k];
    y[i] = s;
  }
}

void taps_m(long n, long m, const float *restrict x, const float *restrict c, float *restrict y) {
  for (long i = 0; i < n; i++) {
    float s = 0;
    for (long k = 0; k < m; k++) s += c[k] * x[i + k];
    y[i] = s;
  }
}

void row_variance(long n, const double x[restrict][32], double *restrict v) {
  for (long i = 0; i < n; i++) {
    double s = 0, q = 0;
    for (int j = 0; j < 32; j++) {
      s += x[i][j];
      q += x[i][j] * x[i][j];
    }
    v[i] = (q - s * s / 32) / 31;
  }
}

void row_largest(long n, long m, const double *restrict x, double *restrict r) {
  for (long i = 0; i < n; i++) {
    double s = x[i * m];
    for (long j = 1; j < m; j++)
      if (x[i * m + j] > s) s = x[i * m + j];
    r[i] = s;
  }
}

void matvec4(long n, const double a[restrict 4][4], const double x[restrict][4], double y[restrict][4]) {
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 4; j++) {
      double s = 0;
      for (int k = 0; k < 4; k++) s += a[j][k] * x[i][k];
      y[i][j] = s;
    }
}

void add_rows(long n, long m, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) y[j] += x[i * m + j];
}

void scale_rows(long n, long m, double *restrict x, const double *restrict f) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) x[i * m + j] *= f[i];
}

void add_planes(long n, long m, const float *restrict a, float *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 3; j++)
      for (long k = 0; k < m; k++) b[(i * 3 + j) * m + k] += a[(i * 3 + j) * m + k];
}

void transpose8(long n, const double x[restrict 8][8], double y[restrict 8][8]) {
  for (long i = 0; i < 8; i++)
    for (long j = 0; j < 8; j++) y[j][i] = x[i][j];
}

/* ---- indices */

void gather_doubles(long n, const int *restrict k, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = x[k[i]];
}

void gather_floats(long n, const int *restrict k, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; i++) y[i] += 2.0f * x[k[i]];
}

void gather_long(long n, const long *restrict k, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = x[k[i]] - x[i];
}

double gather_sum(long n, const int *restrict k, const double *restrict v, const double *restrict x) {
  double s = 0;
  for (long i = 0; i < n; i++) s += v[i] * x[k[i]];
  return s;
}

void scatter_doubles(long n, const int *restrict k, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[k[i]] = x[i];
}

void scatter_add(long n, const int *restrict k, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[k[i]] += x[i];
}

void table8(long n, const uint8_t *restrict a, const uint8_t *restrict t, uint8_t *restrict c) {
  for (long i = 0; i < n; i++) c[i] = t[a[i]];
}

void histogram8(long n, const uint8_t *restrict a, int *restrict h) {
  for (long i = 0; i < n; i++) h[a[i]]++;
}

/* ---- roots, quotients, functions */

void roots(long n, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = sqrt(x[i]);
}

void hypotenuse(long n, const float *restrict a, const float *restrict b, float *restrict c) {
  for (long i = 0; i < n; i++) c[i] = sqrtf(a[i] * a[i] + b[i] * b[i]);
}

void inverse(long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; i++) y[i] = 1.0f / x[i];
}

void ratio_sum(long n, const double *restrict a, const double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++) c[i] = a[i] / (a[i] + b[i]);
}

void sigmoid(long n, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = 1.0 / (1.0 + exp(-x[i]));
}

void floors(long n, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = x[i] - floor(x[i]);
}

void polynomial4(long n, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = 1.0 + x[i] * (0.5 + x[i] * (0.25 + x[i] * (0.125 + x[i] * 0.0625)));
}

/* ---- complex numbers */

void complex_scale(long n, const double complex *restrict a, double complex *restrict b, double s) {
  for (long i = 0; i < n; i++) b[i] = s * a[i];
}

void complex_product2(long n, const float complex *restrict a, const float complex *restrict b, float complex *restrict c) {
  for (long i = 0; i < n; i++) c[i] = a[i] * b[i];
}

void complex_power(long n, const double complex *restrict a, double *restrict p) {
  for (long i = 0; i < n; i++) p[i] = creal(a[i]) * creal(a[i]) + cimag(a[i]) * cimag(a[i]);
}

void complex_sum(long n, const double complex *restrict a, const double complex *restrict b, double complex *restrict c) {
  for (long i = 0; i < n; i++) c[i] = a[i] + b[i];
}

/* ---- stencils, and arrays that may overlap */

void laplace1(long n, const float *restrict x, float *restrict y) {
  for (long i = 1; i < n - 1; i++) y[i] = x[i - 1] - 2.0f * x[i] + x[i + 1];
}

void smooth3(long n, long m, const double *restrict x, double *restrict y) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      y[i * m + j] = 0.2 * (x[i * m + j] + x[i * m + j - 1] + x[i * m + j + 1] + x[(i - 1) * m + j] + x[(i + 1) * m + j]);
}

void axpy_plain(long n, double a, const double *x, double *y) {
  for (long i = 0; i < n; i++) y[i] += a * x[i];
}

void mean_of_four(long n, long m, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n / 2; i++)
    for (long j = 0; j < m / 2; j++)
      y[i * (m / 2) + j] = 0.25f * (x[2 * i * m + 2 * j] + x[2 * i * m + 2 * j + 1] + x[(2 * i + 1) * m + 2 * j] + x[(2 * i + 1) * m + 2 * j + 1]);
}

void smooth_bytes(long n, const uint8_t *restrict x, uint8_t *restrict y) {
  for (long i = 1; i < n - 1; i++) y[i] = (uint8_t)((x[i - 1] + 2 * x[i] + x[i + 1] + 2) >> 2);
}
