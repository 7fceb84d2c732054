void threshold(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] > 1.0 ? x[i] : 0.0;
}
