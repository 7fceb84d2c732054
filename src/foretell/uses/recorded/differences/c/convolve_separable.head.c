void convolve(int n, const double *restrict a, double *restrict t, double *restrict c)
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n - 1; j++)
            t[i * n + j] = 0.25 * (a[i * n + j - 1] + a[i * n + j + 1]) + 0.5 * a[i * n + j];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            c[i * n + j] = 0.25 * (t[(i - 1) * n + j] + t[(i + 1) * n + j]) + 0.5 * t[i * n + j];
}
