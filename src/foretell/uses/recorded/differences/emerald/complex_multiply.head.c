void complex_product(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int i = 0; i < n; i++) {
        c[i] = a[i] * b[i] - a[n + i] * b[n + i];
        c[n + i] = a[i] * b[n + i] + a[n + i] * b[i];
    }
}
