/* Driver, stencils and dynamic-programming kernels of the suite. */
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>

void gemm(int n, int m, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[n][n], DATA_TYPE A[n][m], DATA_TYPE B[m][n]);
void symm(int n, int m, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[n][m], DATA_TYPE A[n][n], DATA_TYPE B[n][m]);
void syr2k(int n, int m, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[n][n], DATA_TYPE A[n][m], DATA_TYPE B[n][m]);
void trmm(int n, int m, DATA_TYPE alpha, DATA_TYPE A[n][n], DATA_TYPE B[n][m]);
void atax(int n, int m, DATA_TYPE A[n][m], DATA_TYPE x[m], DATA_TYPE y[m], DATA_TYPE tmp[n]);
void bicg(int n, int m, DATA_TYPE A[n][m], DATA_TYPE s[m], DATA_TYPE q[n], DATA_TYPE p[m], DATA_TYPE r[n]);
void doitgen(int n, int m, DATA_TYPE A[n][m][m], DATA_TYPE C4[m][m], DATA_TYPE sum[m]);
void cholesky(int n, DATA_TYPE A[n][n]);
void ludcmp(int n, DATA_TYPE A[n][n], DATA_TYPE b[n], DATA_TYPE x[n], DATA_TYPE y[n]);
void gramschmidt(int m, int n, DATA_TYPE A[m][n], DATA_TYPE R[n][n], DATA_TYPE Q[m][n]);
void correlation(int m, int n, DATA_TYPE float_n, DATA_TYPE data[n][m], DATA_TYPE corr[m][m], DATA_TYPE mean[m],
                 DATA_TYPE stddev[m]);

static void jacobi_1d(int tsteps, int n, DATA_TYPE A[n], DATA_TYPE B[n])
{
  int t, i;
#pragma scop
  for (t = 0; t < tsteps; t++) {
    for (i = 1; i < n - 1; i++)
      B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (i = 1; i < n - 1; i++)
      A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
#pragma endscop
}

static void seidel_2d(int tsteps, int n, DATA_TYPE A[n][n])
{
  for (int t = 0; t <= tsteps - 1; t++)
    for (int i = 1; i <= n - 2; i++)
      for (int j = 1; j <= n - 2; j++)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                   A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
}

static void fdtd_2d(int tmax, int nx, int ny, DATA_TYPE ex[nx][ny], DATA_TYPE ey[nx][ny], DATA_TYPE hz[nx][ny],
                    DATA_TYPE fict[tmax])
{
  for (int t = 0; t < tmax; t++) {
    for (int j = 0; j < ny; j++)
      ey[0][j] = fict[t];
    for (int i = 1; i < nx; i++)
      for (int j = 0; j < ny; j++)
        ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < nx; i++)
      for (int j = 1; j < ny; j++)
        ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < nx - 1; i++)
      for (int j = 0; j < ny - 1; j++)
        hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

static void adi(int tsteps, int n, DATA_TYPE u[n][n], DATA_TYPE v[n][n], DATA_TYPE p[n][n], DATA_TYPE q[n][n])
{
  const DATA_TYPE a = -0.4, b = 1.8, c = a, d = -0.3, e = 1.6, f = d;
  for (int t = 1; t <= tsteps; t++) {
    for (int i = 1; i < n - 1; i++) {
      v[0][i] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = v[0][i];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -c / (a * p[i][j - 1] + b);
        q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
      }
      v[n - 1][i] = 1.0;
      for (int j = n - 2; j >= 1; j--)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (int i = 1; i < n - 1; i++) {
      u[i][0] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = u[i][0];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -f / (d * p[i][j - 1] + e);
        q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) / (d * p[i][j - 1] + e);
      }
      u[i][n - 1] = 1.0;
      for (int j = n - 2; j >= 1; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}

static void floyd_warshall(int n, int path[n][n])
{
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

static void durbin(int n, DATA_TYPE r[n], DATA_TYPE y[n])
{
  DATA_TYPE z[n], alpha, beta, sum;
  y[0] = -r[0];
  beta = 1.0;
  alpha = -r[0];
  for (int k = 1; k < n; k++) {
    beta = (1 - alpha * alpha) * beta;
    sum = 0.0;
    for (int i = 0; i < k; i++)
      sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; i++)
      z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; i++)
      y[i] = z[i];
    y[k] = alpha;
  }
}

DATA_TYPE checksum(int n, int m, DATA_TYPE a[n][m])
{
  DATA_TYPE s = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += a[i][j] * ((i + 2 * j) % 3);
  return s;
}

static void fill(int n, int m, DATA_TYPE a[n][m], DATA_TYPE scale)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = scale * ((DATA_TYPE)((i * j + 3 * i + 1) % m) / m);
}

static void dominant(int n, DATA_TYPE a[n][n])
{
  fill(n, n, a, 0.1);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      a[j][i] = a[i][j];
    a[i][i] = (DATA_TYPE)n;
  }
}

static DATA_TYPE A[N][N], B[N][N], C[N][N], P[N][N], Q[N][N], NM[N][M], NM2[N][M], MN[M][N], MM[M][M], A3[N][M][M];
static DATA_TYPE x[N], y[N], z[N], r[N], s[M], q[M];
static int path[N][N];

int main(void)
{
  DATA_TYPE total = 0.0;
  fill(N, N, C, 1.0), fill(N, M, NM, 1.0), fill(M, N, MN, 1.0), fill(N, N, A, 1.0);
  gemm(N, M, 1.5, 1.2, C, NM, MN);
  total += checksum(N, N, C);
  fill(N, M, NM2, 0.5);
  symm(N, M, 1.5, 1.2, NM2, A, NM);
  syr2k(N, M, 1.5, 1.2, C, NM, NM2);
  trmm(N, M, 1.5, A, NM);
  total += checksum(N, M, NM);
  for (int i = 0; i < N; i++)
    x[i] = y[i] = r[i] = 1.0 / (i + 2.0), z[i] = 0.0;
  atax(N, M, NM, s, q, x);
  bicg(N, M, NM, s, y, q, r);
  fill(M, M, MM, 0.3);
  doitgen(N, M, A3, MM, s);
  dominant(N, A);
  cholesky(N, A);
  dominant(N, B);
  ludcmp(N, B, r, x, y);
  total += checksum(N, N, A) + checksum(N, N, B);
  fill(N, M, NM, 1.0);
  for (int i = 0; i < M; i++)
    NM[i][i] += 2.0;
  gramschmidt(N, M, NM, MM, NM2);
  correlation(M, N, (DATA_TYPE)N, NM, MM, s, q);
  total += checksum(M, M, MM);
  jacobi_1d(TSTEPS, N, x, y);
  seidel_2d(TSTEPS, N, C);
  fdtd_2d(TSTEPS, N, N, A, B, C, x);
  adi(TSTEPS, N, A, B, P, Q);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      path[i][j] = i * j % 7 + 1;
  floyd_warshall(N, path);
  durbin(N, r, z);
  printf("%.8g %.8g %.8g %d %.8g\n", total, checksum(N, N, C), checksum(N, N, A), path[3][4], z[N - 1]);
  return 0;
}
