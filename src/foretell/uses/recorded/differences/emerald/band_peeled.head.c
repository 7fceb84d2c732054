void band_product(int n, const double *restrict a, const double *restrict x, double *restrict y)
{
    y[0] = a[1] * x[0] + a[2] * x[1];
    for (int i = 1; i < n - 1; i++)
        y[i] = a[3 * i] * x[i - 1] + a[3 * i + 1] * x[i] + a[3 * i + 2] * x[i + 1];
    y[n - 1] = a[3 * n - 3] * x[n - 2] + a[3 * n - 2] * x[n - 1];
}
