void tally(int n, const int *restrict key, int *restrict count)
{
    for (int i = 0; i < n; i++)
        count[key[i] & 3]++;
}
