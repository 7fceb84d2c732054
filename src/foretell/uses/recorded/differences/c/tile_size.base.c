#define TILE 8
void tiled(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int kk = 0; kk < n; kk += TILE)
        for (int i = 0; i < n; i++)
            for (int k = kk; k < kk + TILE; k++)
                for (int j = 0; j < n; j++)
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
}
