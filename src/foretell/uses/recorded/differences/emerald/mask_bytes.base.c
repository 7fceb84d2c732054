void masked_sum(int n, const int *restrict mask, const int *restrict value, int *restrict out)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += value[i] * (mask[i >> 5] >> (i & 31) & 1);
    out[0] = sum;
}
