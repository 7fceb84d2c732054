void rms(int n, const float *x, float *out)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    out[0] = s / n;
}
