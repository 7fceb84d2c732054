void saturate(int n, const int *restrict a, int *restrict b)
{
    for (int i = 0; i < n; i++)
        b[i] = a[i] + 1000;
}
