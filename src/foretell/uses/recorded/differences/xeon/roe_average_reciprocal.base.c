void roe(int n, const double *restrict r, const double *restrict u, double *restrict a)
{
    for (int i = 0; i < n; i++)
        a[i] = (r[i] * u[i] + r[i + 1] * u[i + 1]) / (r[i] + r[i + 1]) + u[i] / r[i];
}
