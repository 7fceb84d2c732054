void to_gray(int n, const unsigned char *restrict rgb, unsigned char *restrict gray)
{
    for (int i = 0; i < n; i++)
        gray[i] = (unsigned char)((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8);
}
