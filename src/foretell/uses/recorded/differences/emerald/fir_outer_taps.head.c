void fir_block(int n, const float *restrict in, const float *restrict taps, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = 0;
    for (int k = 0; k < 32; k++)
        for (int i = 0; i < n; i++)
            out[i] += in[i + k] * taps[k];
}
