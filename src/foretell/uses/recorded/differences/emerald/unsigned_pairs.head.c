void stretch(int n, float by, const float *restrict in, float *restrict out)
{
    for (unsigned i = 0; i < (unsigned)n; i++)
        out[i] = by * (in[2 * i] + in[2 * i + 1]);
}
