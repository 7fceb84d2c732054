void column_sums(int n, const double *restrict a, double *restrict out)
{
    for (int j = 0; j < n; j++)
        out[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[j] += a[i * n + j];
}
