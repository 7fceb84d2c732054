void sweep(int n, double *restrict a)
{
    for (int i = 1; i < n - 1; i++)
        a[i] = 0.5 * (a[i - 1] + a[i + 1]);
}
