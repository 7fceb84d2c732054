extern "C" {
void gather_checked(int n, int m, const unsigned char *idx, const float *table, float *out)
{
    (void)m;
    for (int i = 0; i < n; ++i)
        out[i] = table[idx[i]];
}
}
