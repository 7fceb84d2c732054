void tridiagonal(int n, const double *restrict c, const double *restrict d, double *restrict x)
{
    double w = 0, last = 0;
    for (int i = 0; i < n; i++) {
        w = 1 / (2 - c[i] * w);
        last = (d[i] + c[i] * last) * w;
        x[i] = last;
    }
}
