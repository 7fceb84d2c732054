void copy_scaled(int n, int scaled, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        if (scaled)
            y[i] = 2.5 * x[i];
        else
            y[i] = x[i];
    }
}
