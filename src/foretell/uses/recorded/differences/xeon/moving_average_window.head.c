void moving(int n, const double *restrict x, double *restrict y)
{
    double s = 0;
    for (int k = 0; k < 8; k++)
        s += x[k];
    for (int i = 0; i < n; i++) {
        y[i] = 0.125 * s;
        s += x[i + 8] - x[i];
    }
}
