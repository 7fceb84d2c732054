void springs(int n, const double *restrict x, double *restrict f, double *restrict e)
{
    for (int i = 0; i < n; i++)
        f[i] = 3.0 * (x[i + 1] - x[i] - 1.0);
    for (int i = 0; i < n; i++)
        e[i] = 1.5 * (x[i + 1] - x[i] - 1.0) * (x[i + 1] - x[i] - 1.0);
}
