void back_project(int n, const double *restrict a, const double *restrict x, double *restrict y)
{
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i * n + j] * x[i];
        y[j] = sum;
    }
}
