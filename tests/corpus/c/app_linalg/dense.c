/* Dense kernels: products, rank updates, factorisations, statistics. */
#include "suite.h"
#include <math.h>

void gemm(int n, int m, DATA_TYPE alpha, DATA_TYPE beta, ARRAY_2D(DATA_TYPE, C, n, n, n, n),
          ARRAY_2D(DATA_TYPE, A, n, m, n, m), ARRAY_2D(DATA_TYPE, B, m, n, m, n))
{
  int i, j, k;
  for (i = 0; i < _N; i++) {
    for (j = 0; j < _N; j++)
      C[i][j] *= beta;
    for (k = 0; k < _M; k++)
      for (j = 0; j < _N; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
}

void symm(int n, int m, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[n][m], DATA_TYPE A[n][n], DATA_TYPE B[n][m])
{
  int i, j, k;
  DATA_TYPE temp2;
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++) {
      temp2 = 0;
      for (k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        temp2 += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * temp2;
    }
}

void syr2k(int n, int m, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[n][n], DATA_TYPE A[n][m], DATA_TYPE B[n][m])
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
  }
}

void trmm(int n, int m, DATA_TYPE alpha, DATA_TYPE A[n][n], DATA_TYPE B[n][m])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      for (int k = i + 1; k < n; k++)
        B[i][j] += A[k][i] * B[k][j];
      B[i][j] = alpha * B[i][j];
    }
}

void atax(int n, int m, DATA_TYPE A[n][m], DATA_TYPE x[m], DATA_TYPE y[m], DATA_TYPE tmp[n])
{
  for (int i = 0; i < m; i++)
    y[i] = 0;
  for (int i = 0; i < n; i++) {
    tmp[i] = 0.0;
    for (int j = 0; j < m; j++)
      tmp[i] = tmp[i] + A[i][j] * x[j];
    for (int j = 0; j < m; j++)
      y[j] = y[j] + A[i][j] * tmp[i];
  }
}

void bicg(int n, int m, DATA_TYPE A[n][m], DATA_TYPE s[m], DATA_TYPE q[n], DATA_TYPE p[m], DATA_TYPE r[n])
{
  for (int i = 0; i < m; i++)
    s[i] = 0;
  for (int i = 0; i < n; i++) {
    q[i] = 0.0;
    for (int j = 0; j < m; j++) {
      s[j] = s[j] + r[i] * A[i][j];
      q[i] = q[i] + A[i][j] * p[j];
    }
  }
}

void doitgen(int n, int m, DATA_TYPE A[n][m][m], DATA_TYPE C4[m][m], DATA_TYPE sum[m])
{
  for (int r = 0; r < n; r++)
    for (int q = 0; q < m; q++) {
      for (int p = 0; p < m; p++) {
        sum[p] = 0.0;
        for (int s = 0; s < m; s++)
          sum[p] += A[r][q][s] * C4[s][p];
      }
      for (int p = 0; p < m; p++)
        A[r][q][p] = sum[p];
    }
}

void cholesky(int n, DATA_TYPE A[n][n])
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (int k = 0; k < i; k++)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
}

void ludcmp(int n, DATA_TYPE A[n][n], DATA_TYPE b[n], DATA_TYPE x[n], DATA_TYPE y[n])
{
  DATA_TYPE w;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      w = A[i][j];
      for (int k = 0; k < j; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w / A[j][j];
    }
    for (int j = i; j < n; j++) {
      w = A[i][j];
      for (int k = 0; k < i; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }
  for (int i = 0; i < n; i++) {
    w = b[i];
    for (int j = 0; j < i; j++)
      w -= A[i][j] * y[j];
    y[i] = w;
  }
  for (int i = n - 1; i >= 0; i--) {
    w = y[i];
    for (int j = i + 1; j < n; j++)
      w -= A[i][j] * x[j];
    x[i] = w / A[i][i];
  }
}

void gramschmidt(int m, int n, DATA_TYPE A[m][n], DATA_TYPE R[n][n], DATA_TYPE Q[m][n])
{
  for (int k = 0; k < n; k++) {
    DATA_TYPE nrm = 0.0;
    for (int i = 0; i < m; i++)
      nrm += A[i][k] * A[i][k];
    R[k][k] = sqrt(nrm);
    for (int i = 0; i < m; i++)
      Q[i][k] = A[i][k] / R[k][k];
    for (int j = k + 1; j < n; j++) {
      R[k][j] = 0.0;
      for (int i = 0; i < m; i++)
        R[k][j] += Q[i][k] * A[i][j];
      for (int i = 0; i < m; i++)
        A[i][j] = A[i][j] - Q[i][k] * R[k][j];
    }
  }
}

void correlation(int m, int n, DATA_TYPE float_n, DATA_TYPE data[n][m], DATA_TYPE corr[m][m], DATA_TYPE mean[m],
                 DATA_TYPE stddev[m])
{
  const DATA_TYPE eps = 0.1;
  for (int j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < n; i++)
      mean[j] += data[i][j];
    mean[j] /= float_n;
  }
  for (int j = 0; j < m; j++) {
    stddev[j] = 0.0;
    for (int i = 0; i < n; i++)
      stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    stddev[j] /= float_n;
    stddev[j] = sqrt(stddev[j]);
    stddev[j] = stddev[j] <= eps ? 1.0 : stddev[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      data[i][j] -= mean[j];
      data[i][j] /= sqrt(float_n) * stddev[j];
    }
  for (int i = 0; i < m - 1; i++) {
    corr[i][i] = 1.0;
    for (int j = i + 1; j < m; j++) {
      corr[i][j] = 0.0;
      for (int k = 0; k < n; k++)
        corr[i][j] += data[k][i] * data[k][j];
      corr[j][i] = corr[i][j];
    }
  }
  corr[m - 1][m - 1] = 1.0;
}
