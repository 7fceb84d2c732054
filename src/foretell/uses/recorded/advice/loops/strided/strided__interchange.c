void strided(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int j = 0; j < n; j++)
     for (int i = 0; i < n; i++)
      C[i][j] = A[i][j] + B[j][i];
}
