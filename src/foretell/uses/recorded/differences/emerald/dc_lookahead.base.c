void dc_blocker(int n, double r, const double *restrict x, double *restrict y)
{
    y[0] = x[0];
    for (int i = 1; i < n; i++)
        y[i] = x[i] - x[i - 1] + r * y[i - 1];
}
