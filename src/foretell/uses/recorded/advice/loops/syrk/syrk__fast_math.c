void syrk(int n, double A[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++)
     for (int j = 0; j <= i; j++)
      for (int k = 0; k < n; k++)
       C[i][j] += A[i][k] * A[j][k];
}
