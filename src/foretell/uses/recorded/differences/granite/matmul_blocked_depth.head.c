void multiply(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int kk = 0; kk < n; kk += 16)
        for (int i = 0; i < n; i++)
            for (int k = kk; k < kk + 16; k++)
                for (int j = 0; j < n; j++)
                    c[i * n + j] += 1e-9 * a[i * n + k] * b[k * n + j];
}
