void lengths(int n, const int *restrict v, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++) {
        unsigned x = (unsigned)v[i];
        out[i] = (unsigned char)(1 + (x >= 1u << 7) + (x >= 1u << 14) + (x >= 1u << 21) + (x >= 1u << 28));
    }
}
