void compact(int n, const int *restrict in, int *restrict out, int *restrict kept)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (in[i] > 0)
            out[k++] = in[i];
    kept[0] = k;
}
