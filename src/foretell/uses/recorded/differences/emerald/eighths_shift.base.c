void eighths(int n, const int *restrict in, int *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] / 8 + in[i] % 8;
}
