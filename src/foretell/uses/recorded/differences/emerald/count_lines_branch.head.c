void count_lines(int n, const unsigned char *restrict text, int *restrict out)
{
    unsigned char lines = 0;
    for (int i = 0; i < n; i++)
        lines += text[i] == 10;
    *out = lines;
}
