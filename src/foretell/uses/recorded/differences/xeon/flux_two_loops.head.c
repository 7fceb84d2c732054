void fluxes(int n, const double *restrict u, double *restrict f, double *restrict r)
{
    f[n] = 0.5 * u[n] * u[n];
    for (int i = 0; i < n; i++) {
        f[i] = 0.5 * u[i] * u[i];
        r[i] = u[i] - 0.1 * (0.5 * u[i + 1] * u[i + 1] - f[i]);
    }
}
