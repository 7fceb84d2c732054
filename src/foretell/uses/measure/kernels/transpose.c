/* Rows in, columns out. */
void transpose(long n, const double a[restrict n][n], double b[restrict n][n]) {
#pragma omp parallel for
  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++)
      b[i][j] = a[j][i];
}
