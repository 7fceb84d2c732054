void copy_scaled(int n, int scaled, const double *restrict x, double *restrict y)
{
    if (scaled)
        for (int i = 0; i < n; i++)
            y[i] = 2.5 * x[i];
    else
        for (int i = 0; i < n; i++)
            y[i] = x[i];
}
