void band_product(int n, const double *restrict a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        int first = i > 0 ? i - 1 : 0, last = i < n - 1 ? i + 1 : n - 1;
        for (int j = first; j <= last; j++)
            sum += a[3 * i + j - i + 1] * x[j];
        y[i] = sum;
    }
}
