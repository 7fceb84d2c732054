void bins(int n, int d, const int *restrict x, int *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] / 24;
}
