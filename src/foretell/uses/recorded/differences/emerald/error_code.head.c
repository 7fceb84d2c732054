void decode_lengths(int n, int size, const int *restrict symbol, const int *restrict length, int *restrict at)
{
    int sum = 0;
    at[n] = -1;
    for (int i = 0; i < n; i++) {
        if (symbol[i] < 0 || symbol[i] >= size)
            return;
        at[i] = sum;
        sum += length[symbol[i]];
    }
    at[n] = sum;
}
