void fluxes(int n, const double *restrict u, const double *restrict q, double *restrict f)
{
    for (int i = 0; i < n; i++) {
        double speed = 0.5 * (u[i] + u[i + 1]) - 0.5;
        if (speed > 0)
            f[i] = speed * q[i];
        else
            f[i] = speed * q[i + 1];
    }
}
