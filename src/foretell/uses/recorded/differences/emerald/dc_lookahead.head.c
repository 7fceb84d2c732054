void dc_blocker(int n, double r, const double *restrict x, double *restrict y)
{
    y[0] = x[0];
    y[1] = x[1] - x[0] + r * y[0];
    for (int i = 2; i < n; i++)
        y[i] = (x[i] - x[i - 1] + r * (x[i - 1] - x[i - 2])) + r * r * y[i - 2];
}
