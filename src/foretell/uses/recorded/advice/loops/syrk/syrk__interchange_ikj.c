void syrk(int n, double A[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++)
     for (int k = 0; k < n; k++)
      for (int j = 0; j <= i; j++)
       C[i][j] += A[i][k] * A[j][k];
}
