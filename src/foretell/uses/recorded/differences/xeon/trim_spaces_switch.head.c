void classes(int n, const unsigned char *restrict s, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = s[i] <= 32 && ((1ull << s[i]) & ((1ull << ' ') | (1ull << '\t') | (1ull << '\n') | (1ull << '\r'))) != 0;
}
