/* Benchmark-suite C translated from Fortran: static multi-dimensional arrays, casts of common blocks, stream loops,
   an FFT pass, an integer sort, a pseudo-random generator. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define IMAX 8
#define JMAX 7
#define KMAX 6
#define NKEYS 64
#define MAXKEY 32
#define FFTN 16
typedef struct { double real, imag; } dcomplex;
static double u[KMAX][JMAX + 1][IMAX + 1][5], rhs[KMAX][JMAX + 1][IMAX + 1][5], forcing[KMAX][JMAX + 1][IMAX + 1][5];
static double us[KMAX][JMAX + 1][IMAX + 1], speed[KMAX][JMAX + 1][IMAX + 1], lhs[IMAX + 1][IMAX + 1][5];
static int grid_points[3] = {IMAX, JMAX, KMAX}, nx2 = IMAX - 2, ny2 = JMAX - 2, nz2 = KMAX - 2;
static double dssp = 0.25, c1c2 = 0.56;
static int key_array[NKEYS], key_buff[MAXKEY], rank_of[NKEYS];
static dcomplex line[FFTN], scratch[FFTN], roots[FFTN];
static double stream_a[200], stream_b[200], stream_c[200];

#define dcmplx(r, i) (dcomplex){r, i}
#define dcmplx_add(a, b) (dcomplex){(a).real + (b).real, (a).imag + (b).imag}
#define dcmplx_mul(a, b) \
  (dcomplex){((a).real * (b).real) - ((a).imag * (b).imag), ((a).real * (b).imag) + ((a).imag * (b).real)}

double randlc(double *x, double a)
{
  const double r23 = 1.1920928955078125e-07, r46 = r23 * r23, t23 = 8.388608e+06, t46 = t23 * t23;
  double t1, t2, t3, t4, a1, a2, x1, x2, z;
  t1 = r23 * a;
  a1 = (int)t1;
  a2 = a - t23 * a1;
  t1 = r23 * (*x);
  x1 = (int)t1;
  x2 = *x - t23 * x1;
  t1 = a1 * x2 + a2 * x1;
  t2 = (int)(r23 * t1);
  z = t1 - t23 * t2;
  t3 = t23 * z + a2 * x2;
  t4 = (int)(r46 * t3);
  *x = t3 - t46 * t4;
  return (r46 * (*x));
}

void vranlc(int n, double *seed, double a, double y[])
{
  int i;
  for (i = 0; i < n; i++)
    y[i] = randlc(seed, a);
}

void initialize(void)
{
  int i, j, k, m;
  for (k = 0; k <= grid_points[2] - 1; k++)
    for (j = 0; j <= grid_points[1] - 1; j++)
      for (i = 0; i <= grid_points[0] - 1; i++) {
        u[k][j][i][0] = 1.0;
        u[k][j][i][1] = 0.1 * i;
        u[k][j][i][2] = 0.1 * j;
        u[k][j][i][3] = 0.1 * k;
        u[k][j][i][4] = 2.0;
        for (m = 0; m < 5; m++)
          forcing[k][j][i][m] = 0.01 * (m + 1);
      }
}

void compute_rhs(void)
{
  int i, j, k, m;
  double aux, rho_inv;
  for (k = 0; k <= grid_points[2] - 1; k++) {
    for (j = 0; j <= grid_points[1] - 1; j++) {
      for (i = 0; i <= grid_points[0] - 1; i++) {
        rho_inv = 1.0 / u[k][j][i][0];
        us[k][j][i] = u[k][j][i][1] * rho_inv;
        aux = c1c2 * rho_inv * (u[k][j][i][4] - 0.5 * (u[k][j][i][1] * u[k][j][i][1] + u[k][j][i][2] * u[k][j][i][2] +
                                                       u[k][j][i][3] * u[k][j][i][3]) * rho_inv);
        speed[k][j][i] = sqrt(fabs(aux));
      }
    }
  }
  for (k = 0; k < grid_points[2]; k++)
    for (j = 0; j < grid_points[1]; j++)
      for (i = 0; i < grid_points[0]; i++)
        for (m = 0; m < 5; m++)
          rhs[k][j][i][m] = forcing[k][j][i][m];
  for (k = 1; k <= nz2; k++) {
    for (j = 1; j <= ny2; j++) {
      for (i = 1; i <= nx2; i++) {
        double uijk = us[k][j][i], up1 = us[k][j][i + 1], um1 = us[k][j][i - 1];
        rhs[k][j][i][0] += 0.75 * (u[k][j][i + 1][0] - 2.0 * u[k][j][i][0] + u[k][j][i - 1][0]) -
                           0.5 * (u[k][j][i + 1][1] - u[k][j][i - 1][1]);
        rhs[k][j][i][1] += 0.1 * (up1 - 2.0 * uijk + um1) - 0.5 * (u[k][j][i + 1][1] * up1 - u[k][j][i - 1][1] * um1);
      }
      i = 1;
      for (m = 0; m < 5; m++)
        rhs[k][j][i][m] = rhs[k][j][i][m] - dssp * (5.0 * u[k][j][i][m] - 4.0 * u[k][j][i + 1][m] + u[k][j][i + 2][m]);
      for (i = 3; i <= nx2 - 2; i++)
        for (m = 0; m < 5; m++)
          rhs[k][j][i][m] = rhs[k][j][i][m] - dssp * (u[k][j][i - 2][m] - 4.0 * u[k][j][i - 1][m] + 6.0 * u[k][j][i][m] -
                                                      4.0 * u[k][j][i + 1][m] + u[k][j][i + 2][m]);
    }
  }
}

void x_solve(void)
{
  int i, j, k, i1, i2, m;
  double fac1;
  for (k = 1; k <= nz2; k++) {
    for (j = 1; j <= ny2; j++)
      for (i = 0; i <= nx2 + 1; i++)
        for (m = 0; m < 5; m++)
          lhs[j][i][m] = m == 2 ? 1.0 + speed[k][j][i] : 0.05;
    for (i = 0; i <= grid_points[0] - 3; i++) {
      i1 = i + 1;
      i2 = i + 2;
      for (j = 1; j <= ny2; j++) {
        fac1 = 1.0 / lhs[j][i][2];
        lhs[j][i][3] = fac1 * lhs[j][i][3];
        lhs[j][i][4] = fac1 * lhs[j][i][4];
        for (m = 0; m < 3; m++)
          rhs[k][j][i][m] = fac1 * rhs[k][j][i][m];
        lhs[j][i1][2] = lhs[j][i1][2] - lhs[j][i1][1] * lhs[j][i][3];
        for (m = 0; m < 3; m++)
          rhs[k][j][i1][m] = rhs[k][j][i1][m] - lhs[j][i1][1] * rhs[k][j][i][m];
        for (m = 0; m < 3; m++)
          rhs[k][j][i2][m] = rhs[k][j][i2][m] - lhs[j][i2][0] * rhs[k][j][i][m];
      }
    }
  }
}

void rank_keys(void)
{
  int i;
  for (i = 0; i < MAXKEY; i++)
    key_buff[i] = 0;
  for (i = 0; i < NKEYS; i++)
    key_buff[key_array[i]]++;
  for (i = 0; i < MAXKEY - 1; i++)
    key_buff[i + 1] += key_buff[i];
  for (i = 0; i < NKEYS; i++)
    rank_of[i] = key_buff[key_array[i]];
}

void fft_pass(int l, int n, const dcomplex w[], const dcomplex x[], dcomplex y[])
{
  int lk = 1 << (l - 1), li = n / (2 * lk), i, k;
  for (i = 0; i < li; i++) {
    dcomplex root = w[i * lk];
    for (k = 0; k < lk; k++) {
      dcomplex x11 = x[i * lk + k], x21 = x[i * lk + k + n / 2];
      dcomplex sum = dcmplx_add(x11, x21);
      y[2 * i * lk + k].real = sum.real;
      y[2 * i * lk + k].imag = sum.imag;
      y[2 * i * lk + lk + k].real = root.real * (x11.real - x21.real) - root.imag * (x11.imag - x21.imag);
      y[2 * i * lk + lk + k].imag = root.real * (x11.imag - x21.imag) + root.imag * (x11.real - x21.real);
    }
  }
}

void stream(int n, double scalar)
{
  int j;
#pragma omp parallel for
  for (j = 0; j < n; j++)
    stream_c[j] = stream_a[j];
#pragma omp parallel for
  for (j = 0; j < n; j++)
    stream_b[j] = scalar * stream_c[j];
#pragma omp parallel for
  for (j = 0; j < n; j++)
    stream_c[j] = stream_a[j] + stream_b[j];
#pragma omp parallel for
  for (j = 0; j < n; j++)
    stream_a[j] = stream_b[j] + scalar * stream_c[j];
}

int main(void)
{
  double seed = 314159265.0;
  int i, l;
  vranlc(200, &seed, 1220703125.0, stream_a);
  for (i = 0; i < NKEYS; i++)
    key_array[i] = (int)(MAXKEY * randlc(&seed, 1220703125.0));
  for (i = 0; i < FFTN; i++) {
    line[i] = dcmplx(cos(0.3 * i), 0.1 * i);
    roots[i] = dcmplx(cos(3.14159265358979 * i / FFTN), sin(3.14159265358979 * i / FFTN));
  }
  initialize();
  compute_rhs();
  x_solve();
  rank_keys();
  for (l = 1; l <= 4; l += 2) {
    fft_pass(l, FFTN, roots, line, scratch);
    fft_pass(l + 1, FFTN, roots, scratch, line);
  }
  stream(200, 3.0);
  printf("%.10g %d %.10g %.10g\n", rhs[2][3][4][1], rank_of[10], line[3].real, stream_a[50]);
  return 0;
}
