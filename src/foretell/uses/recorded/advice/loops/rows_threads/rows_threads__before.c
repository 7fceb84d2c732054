void rows_threads(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 0; i < n; i++)
     #pragma omp parallel for
     for (int j = 0; j < n; j++)
      B[i][j] = A[i][j] * A[i][j] + 1.0;
}
