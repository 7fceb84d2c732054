void drawdown(int n, const double *restrict p, double *restrict d)
{
    double top = p[0];
    for (int i = 0; i < n; i++) {
        top = p[i] > top ? p[i] : top;
        d[i] = (top - p[i]) / top;
    }
}
