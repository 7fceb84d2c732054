void row_total(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i] += a[i * m + j];
}
