void count_set(int n, const unsigned *flags, int *out)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += (flags[i] & 1) != 0;
    *out = count;
}
