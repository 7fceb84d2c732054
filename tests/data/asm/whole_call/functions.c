#include <stddef.h>
#include <stdlib.h>
#include <string.h>
void axpy(long n, double a, double *x, double *y) { for (long i = 0; i < n; i++) y[i] += a * x[i]; }
double dot(int n, double *x, double *y) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s; }
void matmul(int n, double *a, double *b, double *c) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { double s = 0;
    for (int k = 0; k < n; k++) s += a[i*n+k] * b[k*n+j]; c[i*n+j] = s; } }
void matmul_vla(int n, double a[n][n], double b[n][n], double c[n][n]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j]; }
void gemv(int m, int n, double a[m][n], double *x, double *y) {
  for (int i = 0; i < m; i++) { y[i] = 0; for (int j = 0; j < n; j++) y[i] += a[i][j] * x[j]; } }
void trisolv(int n, double l[n][n], double *x, double *b) {
  for (int i = 0; i < n; i++) { x[i] = b[i]; for (int j = 0; j < i; j++) x[i] -= l[i][j] * x[j]; x[i] /= l[i][i]; } }
void jacobi2d(int t, int n, double a[n][n], double b[n][n]) {
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) b[i][j] = 0.2*(a[i][j]+a[i][j-1]+a[i][j+1]+a[i+1][j]+a[i-1][j]);
    for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) a[i][j] = 0.2*(b[i][j]+b[i][j-1]+b[i][j+1]+b[i+1][j]+b[i-1][j]); } }
void rows(int n, int m, double **a, double **b) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 2*b[i][j]+1; }
void seidel(int t, int n, double a[n][n]) {
  for (int s = 0; s < t; s++) for (int i = 1; i <= n-2; i++) for (int j = 1; j <= n-2; j++)
    a[i][j] = (a[i-1][j-1]+a[i-1][j]+a[i-1][j+1]+a[i][j-1]+a[i][j]+a[i][j+1]+a[i+1][j-1]+a[i+1][j]+a[i+1][j+1])/9.0; }
void syrk(int n, int m, double alpha, double beta, double c[n][n], double a[n][m]) {
  for (int i = 0; i < n; i++) { for (int j = 0; j <= i; j++) c[i][j] *= beta;
    for (int k = 0; k < m; k++) for (int j = 0; j <= i; j++) c[i][j] += alpha*a[i][k]*a[j][k]; } }
void lu(int n, double a[n][n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) { for (int k = 0; k < j; k++) a[i][j] -= a[i][k]*a[k][j]; a[i][j] /= a[j][j]; }
    for (int j = i; j < n; j++) for (int k = 0; k < i; k++) a[i][j] -= a[i][k]*a[k][j]; } }
static __attribute__((noinline)) void scale(double *x, int n, double f) { for (int i = 0; i < n; i++) x[i] *= f; }
void calls(int n, int m, double *x) { for (int i = 0; i < n; i++) scale(x + i*m, m - i % 3, 2.0); }
void blocks(int n, int bs, double *a, double *b) {
  for (int ii = 0; ii < n; ii += bs) for (int jj = 0; jj < n; jj += bs)
    for (int i = ii; i < (ii+bs < n ? ii+bs : n); i++) for (int j = jj; j < (jj+bs < n ? jj+bs : n); j++) b[j*n+i] = a[i*n+j]; }
long count(long n, int *x) { long c = 0; for (long i = 0; i < n; i++) { if (i % 7 == 3) continue; c += x[i]; if (i > n - 5) break; } return c; }
void powers(long n, double *x) { for (long s = 1; s < n; s *= 2) for (long i = 0; i + s < n; i += 2*s) x[i] += x[i+s]; }
void fill(int n, double *x) { for (int i = 0; i < n; i++) x[i] = 0; }
void strided(int n, int s, float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i*s] + 1; }
void bytes(int n, unsigned char *x, unsigned char *y) { for (int i = 0; i < n; i++) y[i] = x[i] ^ 0x5a; }
struct grid { int nx, ny; double *u, *v; };
void structs(struct grid *g) { for (int i = 1; i < g->nx-1; i++) for (int j = 1; j < g->ny-1; j++) g->v[i*g->ny+j] = g->u[i*g->ny+j-1]+g->u[i*g->ny+j+1]; }
void stencil3(int n, double *a, double *b) {
  for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) for (int k = 1; k < n-1; k++)
    b[(i*n+j)*n+k] = a[(i*n+j)*n+k-1]+a[(i*n+j)*n+k+1]+a[((i-1)*n+j)*n+k]+a[((i+1)*n+j)*n+k]; }
void many(int n, int a1, int a2, int a3, int a4, int a5, int a6, int *x) { for (int i = 0; i < n; i++) x[i] = a1+a2*i+a3+a4+a5+a6; }
void downwards(int n, double *x) { for (int i = n-2; i >= 0; i--) x[i] += 0.5*x[i+1]; }
void whiles(unsigned n, unsigned *x) { unsigned k = n; int i = 0; while (k > 1) { x[i++] = k; k = (k & 1) ? 3*k+1 : k/2; } }
double sum_u(size_t n, const float *x) { double s = 0; for (size_t i = n; i-- > 0;) s += x[i]; return s; }
static int fib(int n) { return n < 2 ? n : fib(n-1) + fib(n-2); }
int recursive(int n) { return fib(n); }
void durbin(int n, double *r, double *y) { double z[n]; double alpha = -r[0], beta = 1; y[0] = -r[0];
  for (int k = 1; k < n; k++) { beta = (1-alpha*alpha)*beta; double s = 0; for (int i = 0; i < k; i++) s += r[k-i-1]*y[i];
    alpha = -(r[k]+s)/beta; for (int i = 0; i < k; i++) z[i] = y[i]+alpha*y[k-i-1]; for (int i = 0; i < k; i++) y[i] = z[i]; y[k] = alpha; } }
