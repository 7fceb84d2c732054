void offset(int n, const double *restrict x, double *restrict y)
{
    for (int i = n - 1; i >= 0; i--)
        y[i] = x[i] + 0.5;
}
