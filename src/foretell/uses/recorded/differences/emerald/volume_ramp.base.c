void ramp(int n, float from, float to, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] * (from + (to - from) * i / n);
}
