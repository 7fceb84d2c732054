void scaled_sum(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] += 3.0 * x[i];
}
