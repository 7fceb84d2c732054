void bit_planes(int n, const unsigned char *restrict in, unsigned char *restrict low, unsigned char *restrict high)
{
    for (int i = 0; i < n; i++) {
        low[i] = in[i] & 15;
        high[i] = in[i] >> 4;
    }
}
