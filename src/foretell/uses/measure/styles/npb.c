/* Main loops of aerodynamics and spectral benchmarks, in the style of C translations from Fortran. */
#include <math.h>
#include <stdint.h>

void cg_multiply(int n, const int *rowstr, const int *colidx, const double *a, const double *p, double *q) {
  for (int j = 0; j < n; j++) {
    double sum = 0.0;
    for (int k = rowstr[j]; k < rowstr[j + 1]; k++) sum = sum + a[k] * p[colidx[k]];
    q[j] = sum;
  }
}

double cg_update(int n, double alpha, double *z, double *r, double *p, double *q) {
  double rho = 0.0, rho0 = 1.0;
  for (int j = 0; j < n; j++) {
    z[j] = z[j] + alpha * p[j];
    r[j] = r[j] - alpha * q[j];
  }
  for (int j = 0; j < n; j++) rho = rho + r[j] * r[j];
  double beta = rho / (rho + rho0);
  for (int j = 0; j < n; j++) p[j] = r[j] + beta * p[j];
  return rho;
}

void mg_residual(int n, double u[n][n][n], double v[n][n][n], double r[n][n][n], double a[4]) {
  double u1[1100], u2[1100];
  for (int i3 = 1; i3 < n - 1; i3++)
    for (int i2 = 1; i2 < n - 1; i2++) {
      for (int i1 = 0; i1 < n; i1++) {
        u1[i1] = u[i3][i2 - 1][i1] + u[i3][i2 + 1][i1] + u[i3 - 1][i2][i1] + u[i3 + 1][i2][i1];
        u2[i1] = u[i3 - 1][i2 - 1][i1] + u[i3 - 1][i2 + 1][i1] + u[i3 + 1][i2 - 1][i1] + u[i3 + 1][i2 + 1][i1];
      }
      for (int i1 = 1; i1 < n - 1; i1++)
        r[i3][i2][i1] = v[i3][i2][i1] - a[0] * u[i3][i2][i1] - a[2] * (u2[i1] + u1[i1 - 1] + u1[i1 + 1]) -
                        a[3] * (u2[i1 - 1] + u2[i1 + 1]);
    }
}

void mg_restrict(int m, double ***r, double ***s) {
  for (int j3 = 1; j3 < m - 1; j3++)
    for (int j2 = 1; j2 < m - 1; j2++)
      for (int j1 = 1; j1 < m - 1; j1++) {
        int i3 = 2 * j3 - 1, i2 = 2 * j2 - 1, i1 = 2 * j1 - 1;
        s[j3][j2][j1] = 0.5 * r[i3][i2][i1] + 0.25 * (r[i3][i2][i1 - 1] + r[i3][i2][i1 + 1] + r[i3][i2 - 1][i1] +
                        r[i3][i2 + 1][i1] + r[i3 - 1][i2][i1] + r[i3 + 1][i2][i1]);
      }
}

typedef struct {
  double real, imag;
} dcomplex;

/* One pass of a transform of length 2^m over ny columns. */
void ft_pass(int n, int ny, int l, const dcomplex *root, const dcomplex *x, dcomplex *y) {
  int half = n / 2, lk = 1 << (l - 1);
  for (int i = 0; i < half / lk; i++) {
    dcomplex u = root[lk + i % lk];
    for (int k = 0; k < lk; k++)
      for (int j = 0; j < ny; j++) {
        dcomplex a = x[(i * lk + k) * ny + j], b = x[(i * lk + k + half) * ny + j], d;
        y[(i * 2 * lk + k) * ny + j].real = a.real + b.real;
        y[(i * 2 * lk + k) * ny + j].imag = a.imag + b.imag;
        d.real = a.real - b.real;
        d.imag = a.imag - b.imag;
        y[(i * 2 * lk + k + lk) * ny + j].real = u.real * d.real - u.imag * d.imag;
        y[(i * 2 * lk + k + lk) * ny + j].imag = u.real * d.imag + u.imag * d.real;
      }
  }
}

void ft_evolve(int n, dcomplex *u0, dcomplex *u1, const double *twiddle) {
  for (int i = 0; i < n; i++) {
    u0[i].real = u0[i].real * twiddle[i];
    u0[i].imag = u0[i].imag * twiddle[i];
    u1[i] = u0[i];
  }
}

/* A lower block-triangular sweep over one plane, with blocks of five unknowns. */
void lu_lower(int nx, int ny, double omega, double v[][nx][5], double ldy[][nx][5][5], double ldx[][nx][5][5],
              double d[][nx][5]) {
  for (int j = 1; j < ny; j++)
    for (int i = 1; i < nx; i++)
      for (int m = 0; m < 5; m++) {
        double t = 0.0;
        for (int l = 0; l < 5; l++) t += ldy[j][i][l][m] * v[j - 1][i][l] + ldx[j][i][l][m] * v[j][i - 1][l];
        v[j][i][m] = (v[j][i][m] - omega * t) / d[j][i][m];
      }
}

void bt_rhs(int n, double rhs[n][n][n][5], double u[n][n][n][5], double dt) {
  for (int k = 1; k < n - 1; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++)
        for (int m = 0; m < 5; m++)
          rhs[k][j][i][m] = dt * (u[k][j][i + 1][m] - 2.0 * u[k][j][i][m] + u[k][j][i - 1][m] + u[k][j + 1][i][m] -
                                  2.0 * u[k][j][i][m] + u[k][j - 1][i][m]);
}

static void block_times_block(double a[5][5], double b[5][5], double c[5][5]) {
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 5; i++)
      for (int k = 0; k < 5; k++) c[j][i] -= a[k][i] * b[j][k];
}

static void block_times_vector(double a[5][5], double x[5], double b[5]) {
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 5; k++) b[i] -= a[k][i] * x[k];
}

/* Forward elimination along lines, without the inverse of the blocks. */
void bt_line(int n, int lines, double lhs[][n][3][5][5], double rhs[][n][5]) {
  for (int l = 0; l < lines; l++)
    for (int i = 1; i < n; i++) {
      block_times_vector(lhs[l][i][0], rhs[l][i - 1], rhs[l][i]);
      block_times_block(lhs[l][i][0], lhs[l][i - 1][2], lhs[l][i][1]);
    }
}

void sp_line(int n, int lines, double *a, double *b, double *c, double *f) {
  for (int i = 1; i < n; i++)
    for (int l = 0; l < lines; l++) {
      double fac = 1.0 / b[(i - 1) * lines + l];
      b[i * lines + l] = 4.0 - a[i * lines + l] * c[(i - 1) * lines + l] * fac;
      f[i * lines + l] = f[i * lines + l] - a[i * lines + l] * f[(i - 1) * lines + l] * fac;
    }
}

void is_rank(int n, int buckets, const int *key, int *count, int *rank) {
  for (int i = 0; i < buckets; i++) count[i] = 0;
  for (int i = 0; i < n; i++) count[key[i]]++;
  for (int i = 1; i < buckets; i++) count[i] += count[i - 1];
  for (int i = n - 1; i >= 0; i--) rank[i] = --count[key[i]];
}

double ep_pairs(int n, const double *x, double *q) {
  double sx = 0.0, sy = 0.0;
  for (int i = 0; i < n; i++) {
    double x1 = 2.0 * x[2 * i] - 1.0, x2 = 2.0 * x[2 * i + 1] - 1.0, t1 = x1 * x1 + x2 * x2;
    if (t1 <= 1.0) {
      double t2 = sqrt(-2.0 * log(t1) / t1), t3 = x1 * t2, t4 = x2 * t2;
      int l = (int)fmax(fabs(t3), fabs(t4));
      q[l] += 1.0;
      sx += t3;
      sy += t4;
    }
  }
  return sx + sy;
}

double ep_random(int n, double a, double *seed, double *y) {
  const double r23 = 0x1p-23, t23 = 0x1p23, r46 = 0x1p-46, t46 = 0x1p46;
  double a1 = (double)(int)(r23 * a), a2 = a - t23 * a1, x = *seed;
  for (int i = 0; i < n; i++) {
    double x1 = (double)(int)(r23 * x), x2 = x - t23 * x1, t1 = a1 * x2 + a2 * x1;
    double z = t1 - t23 * (double)(int)(r23 * t1), t3 = t23 * z + a2 * x2;
    x = t3 - t46 * (double)(int64_t)(r46 * t3);
    y[i] = r46 * x;
  }
  *seed = x;
  return x;
}
