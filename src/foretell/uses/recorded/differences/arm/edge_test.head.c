void blur(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = ((i > 0 ? x[i - 1] : 0) + x[i] + (i < n - 1 ? x[i + 1] : 0)) / 3.0;
}
