extern "C" {
void evens(int n, const int *in, int *out, int *count)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        out[kept] = in[i];
        kept += (in[i] & 1) == 0;
    }
    *count = kept;
}
}
