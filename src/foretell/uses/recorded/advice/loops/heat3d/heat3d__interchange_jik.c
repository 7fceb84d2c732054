void heat3d(int n, double A[restrict n][n][n], double B[restrict n][n][n]) {
    for (int j = 1; j < n - 1; j++)
     for (int i = 1; i < n - 1; i++)
      for (int k = 1; k < n - 1; k++)
       B[i][j][k] = 0.4 * A[i][j][k] + 0.1 * (A[i - 1][j][k] + A[i + 1][j][k] + A[i][j - 1][k] + A[i][j + 1][k] + A[i][j][k - 1] + A[i][j][k + 1]);
}
