void rope(int n, const float *restrict c, const float *restrict s, float *restrict x)
{
    for (int i = 0; i < n; i++) {
        float a = x[i], b = x[n + i];
        x[i] = a * c[i] - b * s[i];
        x[n + i] = a * s[i] + b * c[i];
    }
}
