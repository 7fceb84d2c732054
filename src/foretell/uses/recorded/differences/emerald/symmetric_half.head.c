void symv(int n, const double *restrict a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int i = 0; i < n; i++) {
        double sum = a[i * n + i] * x[i];
        for (int j = 0; j < i; j++) {
            sum += a[i * n + j] * x[j];
            y[j] += a[i * n + j] * x[i];
        }
        y[i] += sum;
    }
}
