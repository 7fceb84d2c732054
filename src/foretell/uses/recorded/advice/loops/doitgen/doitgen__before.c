void doitgen(int n, double A[restrict n][n][n], double C[restrict n][n], double S[restrict n][n][n]) {
    for (int r = 0; r < n; r++)
     for (int q = 0; q < n; q++)
      for (int p = 0; p < n; p++)
       for (int s = 0; s < n; s++)
        S[r][q][p] += A[r][q][s] * C[s][p];
}
