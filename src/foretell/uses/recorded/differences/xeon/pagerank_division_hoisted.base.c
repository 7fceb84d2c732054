void spread(int n, const double *restrict rank, const int *restrict degree, double *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = 0.15 / n + 0.85 * rank[i] / degree[i];
}
