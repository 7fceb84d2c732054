/* Each column by its own number. */
void column_scale(long n, const double s[restrict n], const double a[restrict n][n], double b[restrict n][n]) {
#pragma omp parallel for
  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++)
      b[j][i] = s[i] * a[j][i];
}
