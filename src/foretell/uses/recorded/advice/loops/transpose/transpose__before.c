void transpose(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 0; i < n; i++)
     for (int j = 0; j < n; j++)
      B[j][i] = A[i][j];
}
