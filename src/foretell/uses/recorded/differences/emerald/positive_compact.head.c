void compact(int n, const int *restrict in, int *restrict out, int *restrict kept)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        out[k] = in[i];
        k += in[i] > 0;
    }
    kept[0] = k;
}
