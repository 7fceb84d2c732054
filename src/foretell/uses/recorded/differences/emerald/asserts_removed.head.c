void remap(int n, int size, const int *restrict at, const float *restrict in, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = in[at[i]];
}
