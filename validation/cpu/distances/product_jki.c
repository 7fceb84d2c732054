/* Matrix product as written for columns that lie in one piece, which these do not. */
void product_jki(long n, const double a[restrict n][n], const double b[restrict n][n], double c[restrict n][n]) {
  for (long j = 0; j < n; j++)
    for (long k = 0; k < n; k++)
      for (long i = 0; i < n; i++)
        c[i][j] += a[i][k] * b[k][j];
}
