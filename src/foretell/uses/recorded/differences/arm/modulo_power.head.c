void bucket(int n, unsigned buckets, const unsigned *restrict key, unsigned *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = key[i] & (buckets - 1);
}
