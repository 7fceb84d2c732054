void jacobi(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 1; i < n - 1; i++)
     for (int j = 1; j < n - 1; j++)
      B[i][j] = 0.2 * (A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
}
