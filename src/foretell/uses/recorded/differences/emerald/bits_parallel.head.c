void bit_counts(int n, const int *restrict in, int *restrict out)
{
    for (int i = 0; i < n; i++) {
        unsigned v = (unsigned)in[i];
        v = v - (v >> 1 & 0x55555555u);
        v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
        out[i] = (int)((((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24);
    }
}
