void syrk(int n, const double *restrict a, double *restrict c)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j <= i; j++)
                c[i * n + j] += 1e-9 * a[k * n + i] * a[k * n + j];
}
