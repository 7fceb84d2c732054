void drop_repeats(int n, const int *restrict in, int *restrict out, int *restrict count)
{
    int k = 0, last = -1;
    for (int i = 0; i < n; i++) {
        int v = in[i] & 1;
        if (v != last) {
            out[k++] = v;
            last = v;
        }
    }
    *count = k;
}
