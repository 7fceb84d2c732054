void comb(int n, int delay, const float *restrict x, float *restrict line, float *restrict y)
{
    for (int i = 0; i < n; i++) {
        int at = i % delay;
        y[i] = line[at];
        line[at] = x[i] + 0.5f * y[i];
    }
}
