void comb(int n, int delay, const float *restrict x, float *restrict line, float *restrict y)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        y[i] = line[at];
        line[at] = x[i] + 0.5f * y[i];
        if (++at == delay)
            at = 0;
    }
}
