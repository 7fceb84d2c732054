void strided(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int ii = 0; ii < n; ii += 16)
     for (int jj = 0; jj < n; jj += 16)
      for (int i = ii; i < (ii + 16 < n ? ii + 16 : n); i++)
       for (int j = jj; j < (jj + 16 < n ? jj + 16 : n); j++)
        C[i][j] = A[i][j] + B[j][i];
}
