void shade(int n, const float *restrict z, float *restrict t, float *restrict c)
{
    for (int i = 0; i < n; i++) {
        t[i] = 1.0f / (1.0f + z[i]);
        c[i] = t[i] * t[i] * 0.8f + 0.2f;
    }
}
