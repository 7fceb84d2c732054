void gesummv(int n, double A[restrict n][n], double B[restrict n][n], double x[restrict n], double y[restrict n], double t[restrict n]) {
    int i;
    for (i = 0; i + 3 < n; i += 4)
     for (int j = 0; j < n; j++) {
      t[i] += A[i][j] * x[j];
      y[i] += B[i][j] * x[j];
      t[i + 1] += A[i + 1][j] * x[j];
      y[i + 1] += B[i + 1][j] * x[j];
      t[i + 2] += A[i + 2][j] * x[j];
      y[i + 2] += B[i + 2][j] * x[j];
      t[i + 3] += A[i + 3][j] * x[j];
      y[i + 3] += B[i + 3][j] * x[j];
     }
    for (; i < n; i++)
     for (int j = 0; j < n; j++) {
      t[i] += A[i][j] * x[j];
      y[i] += B[i][j] * x[j];
     }
}
