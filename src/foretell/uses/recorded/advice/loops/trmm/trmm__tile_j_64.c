void trmm(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int jj = 0; jj < n; jj += 64)
     for (int i = 0; i < n; i++)
      for (int k = i + 1; k < n; k++)
       for (int j = jj; j < (jj + 64 < n ? jj + 64 : n); j++)
        B[i][j] += A[k][i] * B[k][j];
}
