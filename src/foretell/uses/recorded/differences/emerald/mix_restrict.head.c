void mix_audio(int n, float gain, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = out[i] * 0.5f + gain * in[i];
}
