void moving(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < 8; k++)
            s += x[i + k];
        y[i] = 0.125 * s;
    }
}
