void convolve(int n, const double *restrict a, double *restrict t, double *restrict c)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            c[i * n + j] = 0.0625 * (a[(i - 1) * n + j - 1] + a[(i - 1) * n + j + 1] + a[(i + 1) * n + j - 1]
                + a[(i + 1) * n + j + 1]) + 0.125 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1]
                + a[i * n + j + 1]) + 0.25 * a[i * n + j];
}
