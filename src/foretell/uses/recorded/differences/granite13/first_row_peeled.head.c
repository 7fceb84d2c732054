void differences(int n, const double *restrict x, double *restrict d)
{
    d[0] = 0;
    for (int i = 1; i < n; i++)
        d[i] = x[i] - x[i - 1];
}
