void halve(int n, const unsigned char *restrict in, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (unsigned char)((in[2 * i] + in[2 * i + 1] + 1) >> 1);
}
