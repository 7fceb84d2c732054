void mm_threads(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
     for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
       C[i][j] += A[i][k] * B[k][j];
}
