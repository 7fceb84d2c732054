void count_lines(int n, const unsigned char *restrict text, int *restrict out)
{
    int lines = 0;
    for (int i = 0; i < n; i++)
        if (text[i] == 10)
            lines++;
    *out = lines;
}
