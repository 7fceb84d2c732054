void update(int n, const double *restrict a, double *restrict b, double *restrict c)
{
    for (int i = 0; i < n; i++)
    {
        b[i] = a[i] * 2 + b[i];
        c[i] = a[i] * 3 + b[i];
    }
}
