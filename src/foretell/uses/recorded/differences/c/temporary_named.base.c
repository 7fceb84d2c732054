void cubic(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i] * x[i] + 1;
}
