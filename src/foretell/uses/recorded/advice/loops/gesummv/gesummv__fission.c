void gesummv(int n, double A[restrict n][n], double B[restrict n][n], double x[restrict n], double y[restrict n], double t[restrict n]) {
    for (int i = 0; i < n; i++)
     for (int j = 0; j < n; j++)
      t[i] += A[i][j] * x[j];
    for (int i = 0; i < n; i++)
     for (int j = 0; j < n; j++)
      y[i] += B[i][j] * x[j];
}
