void bicg(int n, double A[restrict n][n], double s[restrict n], double q[restrict n], double p[restrict n], double r[restrict n]) {
    int i;
    for (i = 0; i + 1 < n; i += 2)
     for (int j = 0; j < n; j++) {
      s[j] += r[i] * A[i][j];
      q[i] += A[i][j] * p[j];
      s[j] += r[i + 1] * A[i + 1][j];
      q[i + 1] += A[i + 1][j] * p[j];
     }
    for (; i < n; i++)
     for (int j = 0; j < n; j++) {
      s[j] += r[i] * A[i][j];
      q[i] += A[i][j] * p[j];
     }
}
