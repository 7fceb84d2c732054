void blend(int n, int alpha, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (a[i] * alpha + b[i] * (255 - alpha)) >> 8;
}
