void transpose(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int ii = 0; ii < n; ii += 32)
     for (int jj = 0; jj < n; jj += 32)
      for (int i = ii; i < (ii + 32 < n ? ii + 32 : n); i++)
       for (int j = jj; j < (jj + 32 < n ? jj + 32 : n); j++)
        B[j][i] = A[i][j];
}
