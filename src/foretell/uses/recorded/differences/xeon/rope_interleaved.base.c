void rope(int n, const float *restrict c, const float *restrict s, float *restrict x)
{
    for (int i = 0; i < n; i++) {
        float a = x[2 * i], b = x[2 * i + 1];
        x[2 * i] = a * c[i] - b * s[i];
        x[2 * i + 1] = a * s[i] + b * c[i];
    }
}
