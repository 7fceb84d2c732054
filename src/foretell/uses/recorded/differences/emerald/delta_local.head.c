void undo_delta(int n, const int *in, int *out)
{
    int last = 0;
    for (int i = 0; i < n; i++) {
        last += in[i];
        out[i] = last;
    }
}
