void bend(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * (1 + x[i] * (0.5 + x[i] * (0.25 + x[i])));
}
