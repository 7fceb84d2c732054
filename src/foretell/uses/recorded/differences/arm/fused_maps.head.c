void maps(int n, const double *restrict x, double *restrict y, double *restrict z)
{
    for (int i = 0; i < n; i++) {
        y[i] = 2.0 * x[i];
        z[i] = y[i] + x[i];
    }
}
