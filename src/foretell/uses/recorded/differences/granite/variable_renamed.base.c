void triad_line(int n, double *restrict a, const double *restrict b, const double *restrict c)
{
    for (int i = 0; i < n; i++) {
        double t = 3.0 * c[i];
        a[i] = b[i] + t;
    }
}
