void normalise(int n, double A[restrict n][n], double s[restrict n]) {
    for (int i = 0; i < n; i++) {
     double f = 1.0 / s[i];
     for (int j = 0; j < n; j++)
      A[i][j] = A[i][j] * f;
    }
}
