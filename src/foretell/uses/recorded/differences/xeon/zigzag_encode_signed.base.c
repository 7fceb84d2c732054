void encode(int n, const int *restrict in, int *restrict out)
{
    int last = 0;
    for (int i = 0; i < n; i++) {
        int d = in[i] - last;
        out[i] = d < 0 ? -2 * d - 1 : 2 * d;
        last = in[i];
    }
}
