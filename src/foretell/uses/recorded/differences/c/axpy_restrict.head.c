void axpy_alias(int n, double f, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += f * x[i];
}
