void bicg(int n, double A[restrict n][n], double s[restrict n], double q[restrict n], double p[restrict n], double r[restrict n]) {
    for (int i = 0; i < n; i++) {
     for (int j = 0; j < n; j++)
      s[j] += r[i] * A[i][j];
     for (int j = 0; j < n; j++)
      q[i] += A[i][j] * p[j];
    }
}
