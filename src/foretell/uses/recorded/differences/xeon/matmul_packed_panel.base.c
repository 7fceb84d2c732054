void gemm_panel(int n, const double *restrict a, const double *restrict b, double *restrict c, double *restrict p)
{
    for (int j = 0; j < n; j += 8)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < 8; l++)
                    c[i * n + j + l] += a[i * n + k] * b[k * n + j + l];
}
