void filter(int n, const double *restrict x, double *restrict y)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        s = 0.1 * (x[i] - s) + s;
        y[i] = s;
    }
}
