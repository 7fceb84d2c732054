void apply_gain(int n, const float *restrict gain, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] += gain[0] * in[i];
}
