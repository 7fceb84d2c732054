void gemv_rows(int n, const double *restrict a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i + 1 < n; i += 2) {
        double one = 0, two = 0;
        for (int j = 0; j < n; j++) {
            one += a[i * n + j] * x[j];
            two += a[(i + 1) * n + j] * x[j];
        }
        y[i] = one;
        y[i + 1] = two;
    }
}
