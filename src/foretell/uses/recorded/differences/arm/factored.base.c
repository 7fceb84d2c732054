void lerp(int n, float t, const float *restrict a, const float *restrict b, float *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = (1 - t) * a[i] + t * b[i];
}
