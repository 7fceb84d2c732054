void normalise(int n, double A[restrict n][n], double s[restrict n]) {
    for (int j = 0; j < n; j++)
     for (int i = 0; i < n; i++)
      A[i][j] = A[i][j] / s[i];
}
