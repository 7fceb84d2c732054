void mix_three(int n, const float *restrict a, const float *restrict b, const float *restrict c, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = 0;
    for (int i = 0; i < n; i++)
        out[i] += a[i];
    for (int i = 0; i < n; i++)
        out[i] += b[i];
    for (int i = 0; i < n; i++)
        out[i] += c[i];
}
