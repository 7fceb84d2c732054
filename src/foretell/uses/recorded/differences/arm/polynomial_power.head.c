void cubic(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = ((2.0 * x[i] - 3.0) * x[i] + 4.0) * x[i] - 1.0;
}
