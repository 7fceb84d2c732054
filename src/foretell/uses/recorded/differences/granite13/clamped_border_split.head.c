void smooth_clamped(int n, const float *restrict in, float *restrict out)
{
    out[0] = 0.75f * in[0] + 0.25f * in[1];
    for (int i = 1; i < n - 1; i++)
        out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
    out[n - 1] = 0.25f * in[n - 2] + 0.75f * in[n - 1];
}
