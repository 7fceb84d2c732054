void middle(int n, const int *restrict a, const int *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = (a[i] + b[i]) / 2;
}
