void mix_audio(int n, float gain, const float *in, float *out)
{
    for (int i = 0; i < n; i++)
        out[i] = out[i] * 0.5f + gain * in[i];
}
