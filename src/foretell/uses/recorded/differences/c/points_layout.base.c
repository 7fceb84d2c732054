void energy(int n, const double *restrict p, double *restrict e)
{
    for (int i = 0; i < n; i++)
        e[i] = p[4 * i] * p[4 * i] + p[4 * i + 1] * p[4 * i + 1];
}
