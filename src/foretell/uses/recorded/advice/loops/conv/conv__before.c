void conv(int n, double A[restrict n][n], double B[restrict n][n], double w[restrict 5][5]) {
    for (int i = 0; i < n - 4; i++)
     for (int j = 0; j < n - 4; j++)
      for (int p = 0; p < 5; p++)
       for (int q = 0; q < 5; q++)
        B[i][j] += w[p][q] * A[i + p][j + q];
}
