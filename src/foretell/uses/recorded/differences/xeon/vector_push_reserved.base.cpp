extern "C" {
void evens(int n, const int *in, int *out, int *count)
{
    int kept = 0;
    for (int i = 0; i < n; i++)
        if ((in[i] & 1) == 0)
            out[kept++] = in[i];
    *count = kept;
}
}
