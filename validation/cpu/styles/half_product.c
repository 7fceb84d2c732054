/* A triangular matrix times a matrix. */
void half_product(long n, const double l[restrict n][n], const double b[restrict n][n], double c[restrict n][n]) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long k = 0; k <= i; k++)
      for (long j = 0; j < n; j++)
        c[i][j] += l[i][k] * b[k][j];
}
