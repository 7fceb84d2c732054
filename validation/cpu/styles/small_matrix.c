/* A matrix of 4 x 4 times many vectors. */
void small_matrix(long n, const double m[restrict 4][4], const double x[restrict n][4], double y[restrict n][4]) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (int r = 0; r < 4; r++) {
      double s = 0.0;
      for (int c = 0; c < 4; c++)
        s += m[r][c] * x[i][c];
      y[i][r] = s;
    }
}
