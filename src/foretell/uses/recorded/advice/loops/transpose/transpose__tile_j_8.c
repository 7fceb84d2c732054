void transpose(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int jj = 0; jj < n; jj += 8)
     for (int i = 0; i < n; i++)
      for (int j = jj; j < (jj + 8 < n ? jj + 8 : n); j++)
       B[j][i] = A[i][j];
}
