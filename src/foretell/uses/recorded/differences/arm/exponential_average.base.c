void smooth(int n, const double *restrict x, double *restrict y)
{
    double s = x[0];
    for (int i = 0; i < n; i++) {
        s = s + 0.1 * (x[i] - s);
        y[i] = s;
    }
}
