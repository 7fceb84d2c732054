void mirror(int n, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double value = 0.5 * (a[i * n + j] + a[j * n + i]);
            b[i * n + j] = value;
            b[j * n + i] = value;
        }
}
