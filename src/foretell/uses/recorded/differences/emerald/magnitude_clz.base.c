void magnitudes(int n, const int *restrict in, int *restrict out)
{
    for (int i = 0; i < n; i++) {
        unsigned v = (unsigned)in[i];
        int k = 0;
        while (v >>= 1)
            k++;
        out[i] = k;
    }
}
