/* Distances of all pairs of points. */
void distances(long n, const double x[restrict n][3], double d[restrict n][n]) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double s = 0.0;
      for (int c = 0; c < 3; c++)
        s += (x[i][c] - x[j][c]) * (x[i][c] - x[j][c]);
      d[i][j] = s;
    }
}
