void dither(int n, const int *restrict in, unsigned char *restrict out)
{
    int e = 0;
    for (int i = 0; i < n; i++) {
        int v = in[i] + (e * 7) / 16;
        out[i] = v > 127 ? 255 : 0;
        e = v - out[i];
    }
}
