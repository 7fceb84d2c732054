void add_rows(int n, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] += b[i];
}
