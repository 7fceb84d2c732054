void padded(int n, double A[restrict n][1024], double B[restrict n][1024]) {
    for (int jj = 0; jj < n; jj += 8)
     for (int i = 0; i < n; i++)
      for (int j = jj; j < jj + 8; j++)
       B[i][j] = 0.5 * A[i][j] + B[i][j];
}
