void averages(int n, double A[restrict n][n], double m[restrict n]) {
    for (int j = 0; j < n; j++) {
     m[j] = 0.0;
     for (int i = 0; i < n; i++)
      m[j] += A[i][j];
     m[j] = m[j] / n;
    }
}
