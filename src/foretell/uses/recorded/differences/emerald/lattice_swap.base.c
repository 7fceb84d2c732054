void stream_step(int n, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        b[i] = 0.5 * (a[i] + a[i + 1]);
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}
