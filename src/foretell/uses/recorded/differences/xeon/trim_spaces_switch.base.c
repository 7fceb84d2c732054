void classes(int n, const unsigned char *restrict s, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r';
}
