void count_set(int n, const unsigned *flags, int *out)
{
    int count = 0;
    for (int i = 0; i < n / 32; i++)
        count += __builtin_popcount(flags[i]);
    *out = count;
}
