void colsum(int n, double A[restrict n][n], double s[restrict n]) {
    for (int jj = 0; jj < n; jj += 64)
     for (int i = 0; i < n; i++)
      for (int j = jj; j < (jj + 64 < n ? jj + 64 : n); j++)
       s[j] += A[i][j];
}
