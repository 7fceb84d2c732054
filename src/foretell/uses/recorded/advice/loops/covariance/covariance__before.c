void covariance(int n, double A[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++)
     for (int j = i; j < n; j++)
      for (int k = 0; k < n; k++)
       C[i][j] += A[k][i] * A[k][j];
}
