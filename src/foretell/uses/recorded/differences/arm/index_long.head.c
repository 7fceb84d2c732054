void scatter_add(int n, const long *restrict at, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[at[i]] += x[i];
}
