void blend(int n, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = (unsigned char)((3 * a[i] + 5 * b[i]) >> 3);
}
