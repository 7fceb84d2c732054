void mvt(int n, double A[restrict n][n], double x1[restrict n], double x2[restrict n], double y1[restrict n], double y2[restrict n]) {
    for (int i = 0; i < n; i++)
     for (int j = 0; j < n; j++)
      x1[i] += A[i][j] * y1[j];
    for (int j = 0; j < n; j++)
     for (int i = 0; i < n; i++)
      x2[i] += A[j][i] * y2[j];
}
