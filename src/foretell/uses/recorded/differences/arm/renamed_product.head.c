void outer(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int row = 0; row < n; row++)
        for (int j = 0; j < n; j++)
            c[row * n + j] += a[row] * b[j];
}
