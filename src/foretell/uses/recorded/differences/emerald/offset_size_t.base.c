void shifted_add(unsigned n, unsigned stride, const float *restrict in, float *restrict out)
{
    for (unsigned i = 0; i < n; i++)
        out[i] += in[i * stride];
}
