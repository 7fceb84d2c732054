void correlation(int n, const float *a, const float *b, float *out)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    *out = s;
}
