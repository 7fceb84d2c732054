#define T 16
void tiled_product(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int jj = 0; jj < n; jj += T)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                for (int j = jj; j < jj + T; j++)
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
}
