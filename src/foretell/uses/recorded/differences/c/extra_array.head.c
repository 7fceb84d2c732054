void triad(int n, const double *restrict a, const double *restrict b, const double *restrict w, double *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + w[i] * b[i];
}
