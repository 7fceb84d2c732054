void unpack(int n, int size, const unsigned char *in, unsigned char *out)
{
    for (int i = 0; i < n; i++) {
        if (2 * i + 1 >= size)
            return;
        out[2 * i] = in[i] & 15;
        out[2 * i + 1] = in[i] >> 4;
    }
}
