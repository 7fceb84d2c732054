void crossfade(int n, const float *restrict a, const float *restrict b, float *restrict y)
{
    float t = 0;
    for (int i = 0; i < n; i++) {
        y[i] = a[i] + t * (b[i] - a[i]);
        t += 0.0003f;
    }
}
