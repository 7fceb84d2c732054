void intersect(int n, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] && b[i];
}
