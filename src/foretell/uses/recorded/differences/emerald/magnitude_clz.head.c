void magnitudes(int n, const int *restrict in, int *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = 31 - __builtin_clz((unsigned)in[i] | 1);
}
