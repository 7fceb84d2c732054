void syrk(int n, double A[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++) {
     int j;
     for (j = 0; j + 3 <= i; j += 4)
      for (int k = 0; k < n; k++) {
       C[i][j] += A[i][k] * A[j][k];
       C[i][j + 1] += A[i][k] * A[j + 1][k];
       C[i][j + 2] += A[i][k] * A[j + 2][k];
       C[i][j + 3] += A[i][k] * A[j + 3][k];
      }
     for (; j <= i; j++)
      for (int k = 0; k < n; k++)
       C[i][j] += A[i][k] * A[j][k];
    }
}
