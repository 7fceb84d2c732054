void overlaps(int n, const float *restrict a, const float *restrict b, unsigned char *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = a[2 * i] < b[2 * i + 1] && b[2 * i] < a[2 * i + 1];
}
