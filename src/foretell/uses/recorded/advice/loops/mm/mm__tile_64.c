void mm(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int kk = 0; kk < n; kk += 64)
     for (int jj = 0; jj < n; jj += 64)
      for (int i = 0; i < n; i++)
       for (int k = kk; k < (kk + 64 < n ? kk + 64 : n); k++)
        for (int j = jj; j < (jj + 64 < n ? jj + 64 : n); j++)
         C[i][j] += A[i][k] * B[k][j];
}
