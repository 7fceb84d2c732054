void seventh(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double s = x[i] * x[i];
        y[i] = s * s * s * x[i];
    }
}
