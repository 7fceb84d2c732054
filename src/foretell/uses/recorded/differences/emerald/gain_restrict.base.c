void apply_gain(int n, const float *gain, const float *in, float *out)
{
    for (int i = 0; i < n; i++)
        out[i] += gain[0] * in[i];
}
