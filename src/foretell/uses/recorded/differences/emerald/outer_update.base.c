void rank_one(int n, const double *restrict x, const double *restrict y, double *restrict a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] += 1e-6 * x[i] * y[j];
}
