void weighted(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = 0.25 * a[i] + 0.75 * b[i];
}
