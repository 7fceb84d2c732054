void averages(int n, const int *restrict total, const int *restrict count, int *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (int)((double)total[i] / count[i]);
}
