void apply_mode(int n, int mode, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        if (mode)
            y[i] = 0.5 * x[i] + 1.0;
        else
            y[i] = x[i] / 3.0;
    }
}
