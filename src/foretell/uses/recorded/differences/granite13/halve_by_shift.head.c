void halve_signed(int n, const int *in, int *out)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] >> 4;
}
