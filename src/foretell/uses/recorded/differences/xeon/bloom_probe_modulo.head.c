void probe(int n, int size, const int *restrict key, const unsigned char *restrict bits, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++) {
        unsigned h = (unsigned)key[i] * 0x9e3779b1u;
        out[i] = bits[((unsigned long long)h * (unsigned)size) >> 32] & bits[((unsigned long long)(h * 31u) * (unsigned)size) >> 32];
    }
}
