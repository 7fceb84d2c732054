void substitute(int n, const double *restrict a, double *restrict x)
{
    for (int i = 1; i < n; i++) {
        double sum = x[i];
        for (int j = 0; j < i; j++)
            sum -= a[i * n + j] * x[j] * 1e-6;
        x[i] = sum;
    }
}
