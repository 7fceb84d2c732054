void floyd(int n, double D[restrict n][n]) {
    for (int k = 0; k < n; k++)
     for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
       if (D[i][k] + D[k][j] < D[i][j])
        D[i][j] = D[i][k] + D[k][j];
}
