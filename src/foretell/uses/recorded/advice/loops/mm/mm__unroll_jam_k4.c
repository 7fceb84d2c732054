void mm(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++) {
     int k;
     for (k = 0; k + 3 < n; k += 4)
      for (int j = 0; j < n; j++) {
       C[i][j] += A[i][k] * B[k][j];
       C[i][j] += A[i][k + 1] * B[k + 1][j];
       C[i][j] += A[i][k + 2] * B[k + 2][j];
       C[i][j] += A[i][k + 3] * B[k + 3][j];
      }
     for (; k < n; k++)
      for (int j = 0; j < n; j++)
       C[i][j] += A[i][k] * B[k][j];
    }
}
