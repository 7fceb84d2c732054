void energy(int n, const double *restrict p, double *restrict e)
{
    for (int i = 0; i < n; i++)
        e[i] = p[i] * p[i] + p[n + i] * p[n + i];
}
