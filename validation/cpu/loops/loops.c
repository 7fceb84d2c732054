/* Small loops in the styles that users bring, for comparing the code that foretell makes with a compiler's own
   (compare.py). Every function has one loop nest. Which half a loop is in follows from its name. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- elements that lie apart */

void every_third(long n, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = 2.0 * x[3 * i];
}

void fifth_floats(long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; i++) y[i] = x[5 * i] + x[5 * i + 2];
}

void column_into_row(long n, long m, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] += 0.5 * x[i * m];
}

void two_columns(long n, long m, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = x[i * m] * x[i * m + 1];
}

void row_into_column(long n, long m, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i * m] = 3.0 * x[i];
}

void spread_pairs(long n, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[2 * i] = x[i] * x[i];
}

void spread_fours(long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; i++) y[4 * i] = x[i] + 1.0f;
}

void decimate8(long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; i++) y[i] = 0.25f * (x[8 * i] + x[8 * i + 1] + x[8 * i + 2] + x[8 * i + 3]);
}

void halve_rows(long n, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = 0.5 * (x[2 * i] + x[2 * i + 1]);
}

void backwards_sum(long n, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] += x[n - 1 - i];
}

void column_scale2(long n, long m, double *restrict x) {
  for (long i = 0; i < n; i++) x[i * m + 1] *= 1.5;
}

void column_dot(long n, long m, const double *restrict x, const double *restrict y, double *restrict r) {
  double s = 0;
  for (long i = 0; i < n; i++) s += x[i] * y[i * m];
  *r = s;
}

/* ---- records of two, three and four numbers */

void norms2(long n, const double *restrict p, double *restrict r) {
  for (long i = 0; i < n; i++) r[i] = p[2 * i] * p[2 * i] + p[2 * i + 1] * p[2 * i + 1];
}

void norms3(long n, const double *restrict p, double *restrict r) {
  for (long i = 0; i < n; i++) r[i] = p[3 * i] * p[3 * i] + p[3 * i + 1] * p[3 * i + 1] + p[3 * i + 2] * p[3 * i + 2];
}

void norms3f(long n, const float *restrict p, float *restrict r) {
  for (long i = 0; i < n; i++) r[i] = p[3 * i] * p[3 * i] + p[3 * i + 1] * p[3 * i + 1] + p[3 * i + 2] * p[3 * i + 2];
}

void norms4f(long n, const float *restrict p, float *restrict r) {
  for (long i = 0; i < n; i++)
    r[i] = p[4 * i] * p[4 * i] + p[4 * i + 1] * p[4 * i + 1] + p[4 * i + 2] * p[4 * i + 2] + p[4 * i + 3];
}

void scale3(long n, double *restrict p, double a, double b, double c) {
  for (long i = 0; i < n; i++) {
    p[3 * i] *= a;
    p[3 * i + 1] *= b;
    p[3 * i + 2] *= c;
  }
}

void cross3(long n, const double *restrict a, const double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++) {
    c[3 * i] = a[3 * i + 1] * b[3 * i + 2] - a[3 * i + 2] * b[3 * i + 1];
    c[3 * i + 1] = a[3 * i + 2] * b[3 * i] - a[3 * i] * b[3 * i + 2];
    c[3 * i + 2] = a[3 * i] * b[3 * i + 1] - a[3 * i + 1] * b[3 * i];
  }
}

void dot3f(long n, const float *restrict a, const float *restrict b, float *restrict r) {
  for (long i = 0; i < n; i++)
    r[i] = a[3 * i] * b[3 * i] + a[3 * i + 1] * b[3 * i + 1] + a[3 * i + 2] * b[3 * i + 2];
}

void rotate2(long n, double *restrict p, double c, double s) {
  for (long i = 0; i < n; i++) {
    double x = p[2 * i], y = p[2 * i + 1];
    p[2 * i] = c * x - s * y;
    p[2 * i + 1] = s * x + c * y;
  }
}

void split4(long n, const float *restrict p, float *restrict x, float *restrict y, float *restrict z, float *restrict w) {
  for (long i = 0; i < n; i++) {
    x[i] = p[4 * i];
    y[i] = p[4 * i + 1];
    z[i] = p[4 * i + 2];
    w[i] = p[4 * i + 3];
  }
}

void join3(long n, const float *restrict x, const float *restrict y, const float *restrict z, float *restrict p) {
  for (long i = 0; i < n; i++) {
    p[3 * i] = x[i];
    p[3 * i + 1] = y[i];
    p[3 * i + 2] = z[i];
  }
}

void join2(long n, const double *restrict x, const double *restrict y, double *restrict p) {
  for (long i = 0; i < n; i++) {
    p[2 * i] = x[i];
    p[2 * i + 1] = y[i];
  }
}

struct body { double x, y, z, vx, vy, vz, m, pad; };

void drift(long n, struct body *restrict b, double dt) {
  for (long i = 0; i < n; i++) {
    b[i].x += dt * b[i].vx;
    b[i].y += dt * b[i].vy;
    b[i].z += dt * b[i].vz;
  }
}

struct pixel { uint8_t r, g, b, a; };

void luma(long n, const struct pixel *restrict p, uint8_t *restrict y) {
  for (long i = 0; i < n; i++) y[i] = (uint8_t)((77 * p[i].r + 150 * p[i].g + 29 * p[i].b) >> 8);
}

/* ---- conditions */

void leaky(long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : 0.01f * x[i];
}

void leaky_if(long n, double *restrict x, double c) {
  for (long i = 0; i < n; i++)
    if (x[i] < 0) x[i] *= c;
}

void clamp(long n, const double *restrict x, double *restrict y, double lo, double hi) {
  for (long i = 0; i < n; i++) y[i] = x[i] < lo ? lo : x[i] > hi ? hi : x[i];
}

void threshold_store(long n, const float *restrict x, float *restrict y, float t) {
  for (long i = 0; i < n; i++)
    if (x[i] > t) y[i] = x[i] - t;
}

void soft(long n, const double *restrict x, double *restrict y, double t) {
  for (long i = 0; i < n; i++) {
    double v = x[i];
    if (v > t) y[i] = v - t;
    else if (v < -t) y[i] = v + t;
    else y[i] = 0;
  }
}

void choose_by_mask(long n, const int *restrict k, const float *restrict a, const float *restrict b, float *restrict y) {
  for (long i = 0; i < n; i++) y[i] = k[i] ? a[i] : b[i];
}

void upwind1(long n, const double *restrict v, const double *restrict q, double *restrict f) {
  for (long i = 1; i < n - 1; i++) f[i] = v[i] > 0 ? v[i] * (q[i] - q[i - 1]) : v[i] * (q[i + 1] - q[i]);
}

void both_sides(long n, const double *restrict x, const double *restrict w, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = (x[i] > 0 && w[i] < 1) ? x[i] * w[i] : x[i];
}

long count_above(long n, const double *restrict x, double t) {
  long c = 0;
  for (long i = 0; i < n; i++)
    if (x[i] > t) c++;
  return c;
}

double sum_above(long n, const double *restrict x, double t) {
  double s = 0;
  for (long i = 0; i < n; i++)
    if (x[i] > t) s += x[i];
  return s;
}

/* ---- bytes, shorts, integers */

void blend8(long n, const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict c, int w) {
  for (long i = 0; i < n; i++) c[i] = (uint8_t)((a[i] * w + b[i] * (256 - w)) >> 8);
}

void average8(long n, const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict c) {
  for (long i = 0; i < n; i++) c[i] = (uint8_t)((a[i] + b[i] + 1) >> 1);
}

int sad8(long n, const uint8_t *restrict a, const uint8_t *restrict b) {
  int s = 0;
  for (long i = 0; i < n; i++) s += abs(a[i] - b[i]);
  return s;
}

void absdiff8(long n, const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict c) {
  for (long i = 0; i < n; i++) c[i] = (uint8_t)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
}

void brighten8(long n, const uint8_t *restrict a, uint8_t *restrict c, int by) {
  for (long i = 0; i < n; i++) {
    int v = a[i] + by;
    c[i] = (uint8_t)(v > 255 ? 255 : v);
  }
}

void invert8(long n, const uint8_t *restrict a, uint8_t *restrict c) {
  for (long i = 0; i < n; i++) c[i] = (uint8_t)(255 - a[i]);
}

int dot16(long n, const int16_t *restrict a, const int16_t *restrict b) {
  int s = 0;
  for (long i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}

void gain16(long n, const int16_t *restrict a, int16_t *restrict c, int g) {
  for (long i = 0; i < n; i++) c[i] = (int16_t)((a[i] * g) >> 15);
}

void bytes_to_floats(long n, const uint8_t *restrict a, float *restrict y) {
  for (long i = 0; i < n; i++) y[i] = a[i] * (1.0f / 255.0f);
}

void floats_to_bytes(long n, const float *restrict x, uint8_t *restrict c) {
  for (long i = 0; i < n; i++) c[i] = (uint8_t)(x[i] * 255.0f + 0.5f);
}

void shorts_to_doubles(long n, const int16_t *restrict a, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = a[i] * 0.5;
}

void ints_to_doubles(long n, const int *restrict a, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = a[i] * x[i];
}

void doubles_to_ints(long n, const double *restrict x, int *restrict k) {
  for (long i = 0; i < n; i++) k[i] = (int)(x[i] * 16.0);
}

void longs_to_doubles(long n, const long *restrict a, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = (double)a[i];
}

void widen_product(long n, const float *restrict a, const float *restrict b, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = (double)a[i] * (double)b[i];
}

void narrow_sum(long n, const double *restrict a, const double *restrict b, float *restrict y) {
  for (long i = 0; i < n; i++) y[i] = (float)(a[i] + b[i]);
}

void hash32(long n, const uint32_t *restrict a, uint32_t *restrict h) {
  for (long i = 0; i < n; i++) {
    uint32_t v = a[i] * 2654435761u;
    h[i] = v ^ (v >> 15);
  }
}

void divide_ints(long n, const int *restrict a, const int *restrict b, int *restrict c) {
  for (long i = 0; i < n; i++) c[i] = a[i] / b[i];
}

void tenths(long n, const int *restrict a, int *restrict q, int *restrict r) {
  for (long i = 0; i < n; i++) {
    q[i] = a[i] / 10;
    r[i] = a[i] % 10;
  }
}

void tenths_u(long n, const unsigned *restrict a, unsigned *restrict q) {
  for (long i = 0; i < n; i++) q[i] = a[i] / 10u;
}

void halves_signed(long n, const int *restrict a, int *restrict q) {
  for (long i = 0; i < n; i++) q[i] = a[i] / 4;
}

void product_longs(long n, const long *restrict a, const long *restrict b, long *restrict c) {
  for (long i = 0; i < n; i++) c[i] = a[i] * b[i];
}

/* ---- sums, products, extremes */

double sum_plain(long n, const double *restrict x) {
  double s = 0;
  for (long i = 0; i < n; i++) s += x[i];
  return s;
}

float sum_floats(long n, const float *restrict x) {
  float s = 0;
  for (long i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}

double sum_of_floats(long n, const float *restrict x) {
  double s = 0;
  for (long i = 0; i < n; i++) s += x[i];
  return s;
}

long sum_ints(long n, const int *restrict x) {
  long s = 0;
  for (long i = 0; i < n; i++) s += x[i];
  return s;
}

void moments(long n, const double *restrict x, double *restrict out) {
  double s = 0, q = 0;
  for (long i = 0; i < n; i++) {
    s += x[i];
    q += x[i] * x[i];
  }
  out[0] = s;
  out[1] = q;
}

int largest_int(long n, const int *restrict x) {
  int m = x[0];
  for (long i = 0; i < n; i++)
    if (x[i] > m) m = x[i];
  return m;
}

double largest(long n, const double *restrict x) {
  double m = x[0];
  for (long i = 0; i < n; i++) m = x[i] > m ? x[i] : m;
  return m;
}

double largest_size(long n, const double *restrict x) {
  double m = 0;
  for (long i = 0; i < n; i++) {
    double a = fabs(x[i]);
    if (a > m) m = a;
  }
  return m;
}

void pairwise_max(long n, const double *restrict a, const double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++) c[i] = a[i] > b[i] ? a[i] : b[i];
}

void pairwise_min_ints(long n, const int *restrict a, const int *restrict b, int *restrict c) {
  for (long i = 0; i < n; i++) c[i] = a[i] < b[i] ? a[i] : b[i];
}

void magnitude_ints(long n, const int *restrict a, int *restrict c) {
  for (long i = 0; i < n; i++) c[i] = a[i] < 0 ? -a[i] : a[i];
}

void magnitude(long n, const double *restrict a, double *restrict c) {
  for (long i = 0; i < n; i++) c[i] = a[i] < 0 ? -a[i] : a[i];
}

double l1_distance(long n, const double *restrict a, const double *restrict b) {
  double s = 0;
  for (long i = 0; i < n; i++) s += fabs(a[i] - b[i]);
  return s;
}

unsigned xor_all(long n, const unsigned *restrict x) {
  unsigned s = 0;
  for (long i = 0; i < n; i++) s ^= x[i];
  return s;
}

void running_sum(long n, const double *restrict x, double *restrict y) {
  double s = 0;
  for (long i = 0; i < n; i++) {
    s += x[i];
    y[i] = s;
  }
}

void filter1(long n, const float *restrict x, float *restrict y, float a) {
  float s = 0;
  for (long i = 0; i < n; i++) {
    s += a * (x[i] - s);
    y[i] = s;
  }
}
