void accumulate(int n, int m, const double *restrict a, double *restrict out)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            out[i] += a[i * m + k];
}
