void crossfade(int n, const float *restrict a, const float *restrict b, float *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = a[i] + 0.0003f * (float)i * (b[i] - a[i]);
}
