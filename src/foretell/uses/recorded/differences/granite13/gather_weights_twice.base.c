void interpolate(int n, const double *x, double *y, const double *w)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * (w[0] / (w[0] + w[1])) + x[i + 1] * (w[1] / (w[0] + w[1]));
}
