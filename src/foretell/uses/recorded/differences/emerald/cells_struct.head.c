void advance(int n, double dt, const double *restrict q, const double *restrict f, double *restrict out)
{
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < n; i++)
            out[k * n + i] = q[k * n + i] - dt * (f[k * (n + 1) + i + 1] - f[k * (n + 1) + i]);
}
