void transpose(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int j = 0; j < n; j++)
     for (int i = 0; i < n; i++)
      B[j][i] = A[i][j];
}
