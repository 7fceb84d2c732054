void wave(const int *n, const double *u, double *v)
{
    int count = *n;
    for (int i = 1; i < count; i++)
        v[i] = 2 * u[i] - 0.5 * v[i] + 0.1 * (u[i + 1] - u[i - 1]);
}
