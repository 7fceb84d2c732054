void blend(int n, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = (unsigned char)(0.375f * a[i] + 0.625f * b[i]);
}
