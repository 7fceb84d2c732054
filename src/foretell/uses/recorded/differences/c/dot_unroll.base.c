void dot(int n, const double *restrict x, const double *restrict y, double *restrict out)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    out[0] = s;
}
