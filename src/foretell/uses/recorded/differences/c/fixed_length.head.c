void project_all(int n, int m, const double *restrict a, const double *restrict v, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < 6; j++)
            sum += a[i * 6 + j] * v[j];
        y[i] = sum;
    }
}
