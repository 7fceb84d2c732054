void normalise(int n, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (in[i] - 0.5f) * 2.0f + 0.1f;
}
