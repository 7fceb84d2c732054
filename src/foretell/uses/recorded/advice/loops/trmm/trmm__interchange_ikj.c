void trmm(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 0; i < n; i++)
     for (int k = i + 1; k < n; k++)
      for (int j = 0; j < n; j++)
       B[i][j] += A[k][i] * B[k][j];
}
