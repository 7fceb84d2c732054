void axpy_four(int n, double a, const double *restrict x, double *restrict y)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        y[i] += a * x[i];
        y[i + 1] += a * x[i + 1];
        y[i + 2] += a * x[i + 2];
        y[i + 3] += a * x[i + 3];
    }
    for (; i < n; i++)
        y[i] += a * x[i];
}
