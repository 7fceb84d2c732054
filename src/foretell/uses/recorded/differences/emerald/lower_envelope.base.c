void lower(int n, const int *restrict a, int *restrict best)
{
    for (int i = 0; i < n; i++)
        if (a[i] > best[i])
            best[i] = a[i] & 1;
}
