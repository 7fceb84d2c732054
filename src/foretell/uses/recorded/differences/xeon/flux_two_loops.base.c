void fluxes(int n, const double *restrict u, double *restrict f, double *restrict r)
{
    for (int i = 0; i <= n; i++)
        f[i] = 0.5 * u[i] * u[i];
    for (int i = 0; i < n; i++)
        r[i] = u[i] - 0.1 * (f[i + 1] - f[i]);
}
