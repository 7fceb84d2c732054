void both(int n, const double *restrict a, double *restrict b, double *restrict c)
{
    for (int i = 0; i < n; i++) {
        b[i] = a[i] * 2;
    }
    for (int i = 0; i < n; i++) {
        c[i] = a[i] + 1;
    }
}
