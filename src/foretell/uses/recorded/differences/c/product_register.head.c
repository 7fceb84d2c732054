void multiply(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k += 2)
            for (int j = 0; j < n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j] + a[i * n + k + 1] * b[(k + 1) * n + j];
}
