extern "C" {
void dot4(int n, const float *a, const float *b, float *out)
{
    float s = 0.f;
    for (int i = 0; i < n; ++i)
        s += a[i] * b[i];
    *out = s;
}
}
