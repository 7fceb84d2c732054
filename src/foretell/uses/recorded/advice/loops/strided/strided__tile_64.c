void strided(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int ii = 0; ii < n; ii += 64)
     for (int jj = 0; jj < n; jj += 64)
      for (int i = ii; i < (ii + 64 < n ? ii + 64 : n); i++)
       for (int j = jj; j < (jj + 64 < n ? jj + 64 : n); j++)
        C[i][j] = A[i][j] + B[j][i];
}
