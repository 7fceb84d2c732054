void mixdown(int n, int channels, const float *restrict in, float *restrict out)
{
    (void)channels;
    for (int i = 0; i < n; i++)
        out[i] = 0.5f * (in[2 * i] + in[2 * i + 1]);
}
