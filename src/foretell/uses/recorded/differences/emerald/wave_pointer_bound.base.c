void wave(const int *n, const double *u, double *v)
{
    for (int i = 1; i < *n; i++)
        v[i] = 2 * u[i] - 0.5 * v[i] + 0.1 * (u[i + 1] - u[i - 1]);
}
