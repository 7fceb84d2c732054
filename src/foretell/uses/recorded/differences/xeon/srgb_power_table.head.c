void linear(int n, const unsigned char *restrict in, const float *restrict table, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = table[in[i]];
}
