void padded(int n, double A[restrict n][1032], double B[restrict n][1032]) {
    for (int j = 0; j < n; j++)
     for (int i = 0; i < n; i++)
      B[i][j] = 0.5 * A[i][j] + B[i][j];
}
