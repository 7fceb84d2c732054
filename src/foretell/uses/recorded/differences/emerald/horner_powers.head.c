void polynomial(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double v = x[i];
        y[i] = 1 + v * (0.5 + v * (0.25 + v * (0.125 + v * 0.06)));
    }
}
