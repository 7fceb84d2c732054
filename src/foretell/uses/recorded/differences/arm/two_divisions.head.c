void harmonic(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = 2.0 * a[i] * b[i] / (a[i] + b[i]);
}
