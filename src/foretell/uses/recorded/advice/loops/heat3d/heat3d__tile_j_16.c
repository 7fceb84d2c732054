void heat3d(int n, double A[restrict n][n][n], double B[restrict n][n][n]) {
    for (int jj = 1; jj < n - 1; jj += 16)
     for (int i = 1; i < n - 1; i++)
      for (int j = jj; j < (jj + 16 < n - 1 ? jj + 16 : n - 1); j++)
       for (int k = 1; k < n - 1; k++)
        B[i][j][k] = 0.4 * A[i][j][k] + 0.1 * (A[i - 1][j][k] + A[i + 1][j][k] + A[i][j - 1][k] + A[i][j + 1][k] + A[i][j][k - 1] + A[i][j][k + 1]);
}
