void saturate(int n, const int *restrict a, int *restrict b)
{
    for (int i = 0; i < n; i++)
        b[i] = a[i] + 1000 > 4000 ? 4000 : a[i] + 1000;
}
