void store_keys(int n, const float *restrict k, float *restrict cache)
{
    for (int t = 0; t < n; t++)
        for (int d = 0; d < 128; d++)
            cache[d * n + t] = k[t * 128 + d];
}
