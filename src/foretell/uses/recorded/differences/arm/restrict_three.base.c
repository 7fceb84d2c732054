void blend(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = 0.3f * a[i] + 0.7f * b[i];
}
