void runs(int n, const unsigned char *s, int *out)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if ((s[i] & 1) != (s[i + 1] & 1))
            count++;
    out[0] = count;
}
