void axpy_alias(int n, double f, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] += f * x[i];
}
