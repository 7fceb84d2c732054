void bit_counts(int n, const int *restrict in, int *restrict out)
{
    for (int i = 0; i < n; i++) {
        unsigned v = (unsigned)in[i];
        int k = 0;
        for (int b = 0; b < 32; b++)
            k += v >> b & 1;
        out[i] = k;
    }
}
