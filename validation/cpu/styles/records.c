/* Points with four numbers each: one that goes out for four that come in. */
void records(long n, const double p[restrict n][4], double *restrict r) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    r[i] = (p[i][0] * p[i][0] + p[i][1] * p[i][1] + p[i][2] * p[i][2]) * p[i][3];
}
