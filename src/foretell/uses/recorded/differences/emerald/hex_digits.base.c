void to_hex(int n, const unsigned char *restrict in, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++) {
        int high = in[i] >> 4, low = in[i] & 15;
        out[2 * i] = high < 10 ? 48 + high : 87 + high;
        out[2 * i + 1] = low < 10 ? 48 + low : 87 + low;
    }
}
