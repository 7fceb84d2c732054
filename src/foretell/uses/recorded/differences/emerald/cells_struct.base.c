void advance(int n, double dt, const double *restrict q, const double *restrict f, double *restrict out)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 5; k++)
            out[5 * i + k] = q[5 * i + k] - dt * (f[5 * (i + 1) + k] - f[5 * i + k]);
}
