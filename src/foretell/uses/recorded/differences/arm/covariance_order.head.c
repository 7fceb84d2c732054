void covariance(int n, int m, const double *restrict x, double *restrict c)
{
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                c[i * n + j] += x[k * n + i] * x[k * n + j];
}
