void roots_of(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] > 0 ? 1 / x[i] : 0;
}
