/* A tensor of three indices times a matrix. */
void contract3(long n, const double a[restrict n][n][n], const double b[restrict n][n], double c[restrict n][n][n]) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long l = 0; l < n; l++)
        for (long k = 0; k < n; k++)
          c[i][j][k] += a[i][j][l] * b[l][k];
}
