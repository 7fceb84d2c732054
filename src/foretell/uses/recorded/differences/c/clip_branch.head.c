void clip(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double v = x[i];
        if (v > 1.0)
            v = 1.0;
        if (v < 0.0)
            v = 0.0;
        y[i] = v * v;
    }
}
