void rank_one(unsigned n, const double *restrict x, const double *restrict y, double *restrict a)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            a[i * n + j] += 1e-6 * x[i] * y[j];
}
