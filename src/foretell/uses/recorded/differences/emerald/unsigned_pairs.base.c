void stretch(int n, float by, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = by * (in[2 * i] + in[2 * i + 1]);
}
