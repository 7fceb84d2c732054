void bucket_of(int n, const int *key, int *slot)
{
    for (int i = 0; i < n; i++)
        slot[i] = key[i] % 96;
}
