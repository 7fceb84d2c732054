void group_sums(int n, const unsigned char *restrict group, const int *restrict value, int *restrict sums)
{
    for (int i = 0; i < n; i++)
        sums[group[i]] += value[i];
}
