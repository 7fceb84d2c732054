void unpack(int n, int size, const unsigned char *in, unsigned char *out)
{
    (void)size;
    for (int i = 0; i < n; i++) {
        out[2 * i] = in[i] & 15;
        out[2 * i + 1] = in[i] >> 4;
    }
}
