void row_sums(int n, const double *a, double *out)
{
    for (int i = 0; i < n; i++)
        out[i] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i] += a[i * n + j];
}
