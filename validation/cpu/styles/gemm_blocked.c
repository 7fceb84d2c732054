/* A product in blocks of 32 rows and 32 terms. */
enum { B = 32 };
void gemm_blocked(long n, const double a[restrict n][n], const double b[restrict n][n], double c[restrict n][n]) {
#pragma omp parallel for
  for (long ii = 0; ii < n; ii += B)
    for (long kk = 0; kk < n; kk += B)
      for (long i = ii; i < (ii + B < n ? ii + B : n); i++)
        for (long k = kk; k < (kk + B < n ? kk + B : n); k++)
          for (long j = 0; j < n; j++)
            c[i][j] += a[i][k] * b[k][j];
}
