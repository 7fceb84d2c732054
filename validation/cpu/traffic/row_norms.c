/* A reduction over rows and one over everything. */
void row_norms(int n, float a[n][n], float norm[n], float weight[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      norm[i] += a[i][j] * a[i][j] * weight[j];
}
