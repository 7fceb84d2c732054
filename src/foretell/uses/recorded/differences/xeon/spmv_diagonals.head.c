void spmv(int n, const double *restrict a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int d = 0; d < 5; d++)
            s += a[d * n + i] * x[i + d];
        y[i] = s;
    }
}
