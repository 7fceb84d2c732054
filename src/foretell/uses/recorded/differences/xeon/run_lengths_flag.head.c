void runs(int n, const unsigned char *s, int *out)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += (s[i] ^ s[i + 1]) & 1;
    out[0] = count;
}
