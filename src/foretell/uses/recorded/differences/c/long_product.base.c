void scale_all(int n, const long *restrict a, const long *restrict b, long *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] * b[i];
}
