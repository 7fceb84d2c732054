void masked_sum(int n, const int *restrict mask, const int *restrict value, int *restrict out)
{
    const signed char *bytes = (const signed char *)mask;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += value[i] * (bytes[i] & 1);
    out[0] = sum;
}
