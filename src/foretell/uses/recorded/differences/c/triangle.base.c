void mirror(int n, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i * n + j] = 0.5 * (a[i * n + j] + a[j * n + i]);
}
