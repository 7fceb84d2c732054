void binarize(int n, int level, const unsigned char *restrict in, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = -(in[i] > level);
}
