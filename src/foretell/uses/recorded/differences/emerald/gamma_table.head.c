void adjust_gamma(int n, const unsigned char *restrict in, const float *restrict table, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (unsigned char)table[in[i]];
}
