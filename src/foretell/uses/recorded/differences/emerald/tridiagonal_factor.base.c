void thomas(int n, const double *restrict a, const double *restrict b, double *restrict c, double *restrict d)
{
    c[0] = 0.25;
    for (int i = 1; i < n; i++) {
        c[i] = 1.0 / (b[i] - a[i] * c[i - 1]);
        d[i] = 0.5 * (d[i] - a[i] * d[i - 1]) / (b[i] - a[i] * c[i - 1]);
    }
}
