void interpolate(int n, const double *x, double *y, const double *w)
{
    double left = w[0] / (w[0] + w[1]), right = w[1] / (w[0] + w[1]);
    for (int i = 0; i < n; i++)
        y[i] = x[i] * left + x[i + 1] * right;
}
