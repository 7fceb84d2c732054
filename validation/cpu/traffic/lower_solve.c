/* A triangle: rows that grow, one vector used again and again. */
void lower_solve(int n, double l[n][n], double b[n], double x[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      x[i] += l[i][j] * b[j];
}
