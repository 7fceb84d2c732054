void spread(int n, const double *restrict rank, const int *restrict degree, double *restrict out)
{
    const double base = 0.15 / n;
    for (int i = 0; i < n; i++)
        out[i] = base + 0.85 * (rank[i] / degree[i]);
}
