void difference(int n, const unsigned short *restrict a, const unsigned short *restrict b, unsigned short *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = (unsigned short)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
}
