void encode(int n, const int *restrict in, int *restrict out)
{
    for (int i = 0; i < n; i++) {
        int d = in[i] - (i ? in[i - 1] : 0);
        out[i] = (d << 1) ^ (d >> 31);
    }
}
