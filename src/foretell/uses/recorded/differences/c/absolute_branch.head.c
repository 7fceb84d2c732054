void distance(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = __builtin_fabs(x[i] - 1);
}
