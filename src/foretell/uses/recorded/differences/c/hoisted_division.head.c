void normalise(int n, int m, const double *restrict weight, double *restrict a)
{
    for (int i = 0; i < n; i++) {
        double factor = 1 / weight[i];
        for (int j = 0; j < m; j++)
            a[i * m + j] = a[i * m + j] * factor;
    }
}
