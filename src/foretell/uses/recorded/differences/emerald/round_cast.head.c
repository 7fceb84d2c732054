void to_samples(int n, const float *restrict in, int *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (int)(in[i] * 32767.0f + 0.5f);
}
