void soften(int n, const double *a, double *b)
{
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
}
