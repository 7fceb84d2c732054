void polynomial(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double v = x[i];
        y[i] = 1 + v * 0.5 + v * v * 0.25 + v * v * v * 0.125 + v * v * v * v * 0.06;
    }
}
