void density(int n, const double *restrict f, double *restrict rho, double *restrict u)
{
    for (int i = 0; i < n; i++) {
        double r = 0, m = 0;
        for (int q = 0; q < 9; q++) {
            r += f[q * n + i];
            m += (q % 3 - 1) * f[q * n + i];
        }
        rho[i] = r;
        u[i] = m / r;
    }
}
