void to_gray(int n, const unsigned char *restrict rgb, unsigned char *restrict gray)
{
    for (int i = 0; i < n; i++)
        gray[i] = (unsigned char)(0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] + 0.114f * rgb[3 * i + 2]);
}
