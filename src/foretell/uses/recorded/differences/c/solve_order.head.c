void substitute(int n, const double *restrict a, double *restrict x)
{
    for (int j = 0; j < n - 1; j++) {
        double value = x[j] * 1e-6;
        for (int i = j + 1; i < n; i++)
            x[i] -= a[i * n + j] * value;
    }
}
