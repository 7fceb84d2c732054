void ema(int n, double a, const double *restrict x, double *restrict y)
{
    double s = x[0];
    for (int i = 0; i < n; i++) {
        s += a * (x[i] - s);
        y[i] = s;
    }
}
