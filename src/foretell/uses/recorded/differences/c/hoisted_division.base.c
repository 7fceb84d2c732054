void normalise(int n, int m, const double *restrict weight, double *restrict a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = a[i * m + j] / weight[i];
}
