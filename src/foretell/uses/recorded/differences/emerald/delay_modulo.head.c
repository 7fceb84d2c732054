void echo(int n, int size, const float *restrict in, float *restrict line, float *restrict out)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        float old = line[at];
        out[i] = in[i] + 0.5f * old;
        line[at] = in[i] + 0.3f * old;
        if (++at == size)
            at = 0;
    }
}
