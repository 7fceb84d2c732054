void density(int n, const double *restrict f, double *restrict rho, double *restrict u)
{
    for (int i = 0; i < n; i++)
        rho[i] = u[i] = 0;
    for (int q = 0; q < 9; q++)
        for (int i = 0; i < n; i++) {
            rho[i] += f[q * n + i];
            u[i] += (q % 3 - 1) * f[q * n + i];
        }
    for (int i = 0; i < n; i++)
        u[i] /= rho[i];
}
