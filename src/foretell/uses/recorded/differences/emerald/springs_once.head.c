void springs(int n, const double *restrict x, double *restrict f, double *restrict e)
{
    for (int i = 0; i < n; i++) {
        double d = x[i + 1] - x[i] - 1.0;
        f[i] = 3.0 * d;
        e[i] = 1.5 * d * d;
    }
}
