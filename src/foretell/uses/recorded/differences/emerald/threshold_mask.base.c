void binarize(int n, int level, const unsigned char *restrict in, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++) {
        if (in[i] > level)
            out[i] = 255;
        else
            out[i] = 0;
    }
}
