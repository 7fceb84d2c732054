/* An outer product added to a matrix, floats and doubles. */
void rank_one(int n, double a[n][n], float x[n], float y[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += x[i] * y[j];
}
