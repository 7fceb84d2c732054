void byte_counts(int n, const unsigned char *restrict s, int *restrict c)
{
    for (int i = 0; i < n; i++)
        c[s[i] & 3]++;
}
