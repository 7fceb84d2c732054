/* Dense algorithms on variable-length array parameters. */

void gemm_vla(int ni, int nj, int nk, double alpha, double beta, double C[ni][nj], double A[ni][nk], double B[nk][nj]) {
  int i, j, k;
  for (i = 0; i < ni; i++) {
    for (j = 0; j < nj; j++) C[i][j] *= beta;
    for (k = 0; k < nk; k++)
      for (j = 0; j < nj; j++) C[i][j] += alpha * A[i][k] * B[k][j];
  }
}

void two_products_vla(int n, double alpha, double beta, double tmp[n][n], double A[n][n], double B[n][n], double C[n][n],
                      double D[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      tmp[i][j] = 0.0;
      for (int k = 0; k < n; ++k) tmp[i][j] += alpha * A[i][k] * B[k][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      D[i][j] *= beta;
      for (int k = 0; k < n; ++k) D[i][j] += tmp[i][k] * C[k][j];
    }
}

void atax_vla(int m, int n, double A[m][n], double x[n], double y[n], double tmp[m]) {
  for (int i = 0; i < n; i++) y[i] = 0;
  for (int i = 0; i < m; i++) {
    tmp[i] = 0.0;
    for (int j = 0; j < n; j++) tmp[i] = tmp[i] + A[i][j] * x[j];
    for (int j = 0; j < n; j++) y[j] = y[j] + A[i][j] * tmp[i];
  }
}

void jacobi2d_vla(int steps, int n, double A[n][n], double B[n][n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
  }
}

void heat3d_vla(int n, double A[n][n][n], double B[n][n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k]) +
                     0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k]) +
                     0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k]) +
                     0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k]) +
                     0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1]) + B[i][j][k];
}

void covariance_vla(int m, int n, double data[n][m], double cov[m][m], double mean[m]) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < n; i++) mean[j] += data[i][j];
    mean[j] /= n;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) data[i][j] -= mean[j];
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) {
      cov[i][j] = 0.0;
      for (int k = 0; k < n; k++) cov[i][j] += data[k][i] * data[k][j];
      cov[i][j] /= n - 1.0;
      cov[j][i] = cov[i][j];
    }
}

void doitgen_vla(int nr, int nq, int np, double A[nr][nq][np], double C4[np][np], double sum[np]) {
  for (int r = 0; r < nr; r++)
    for (int q = 0; q < nq; q++) {
      for (int p = 0; p < np; p++) {
        sum[p] = 0.0;
        for (int s = 0; s < np; s++) sum[p] += A[r][q][s] * C4[s][p];
      }
      for (int p = 0; p < np; p++) A[r][q][p] = sum[p];
    }
}

void floyd_warshall_vla(int n, int path[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

void wavefront_vla(int n, float s[n][n], const char *a, const char *b) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      float best = s[i - 1][j - 1] + (a[i] == b[j] ? 2.0f : -1.0f);
      if (s[i - 1][j] - 1.0f > best) best = s[i - 1][j] - 1.0f;
      if (s[i][j - 1] - 1.0f > best) best = s[i][j - 1] - 1.0f;
      s[i][j] = best > 0.0f ? best : 0.0f;
    }
}
