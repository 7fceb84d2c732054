void back_project(int n, const double *restrict a, const double *restrict x, double *restrict y)
{
    for (int j = 0; j < n; j++)
        y[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[j] += a[i * n + j] * x[i];
}
