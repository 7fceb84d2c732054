/* The lower triangle of a matrix, scaled. */
void triangle(long n, double s, double a[restrict n][n]) {
#pragma omp parallel for
  for (long j = 0; j < n; j++)
    for (long i = 0; i <= j; i++)
      a[j][i] *= s;
}
