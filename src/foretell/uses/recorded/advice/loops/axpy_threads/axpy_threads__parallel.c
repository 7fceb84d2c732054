void axpy_threads(int n, double x[restrict n], double y[restrict n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
     y[i] = 2.5 * x[i] + y[i];
}
