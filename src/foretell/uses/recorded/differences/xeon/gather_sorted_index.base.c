void pick(int n, const int *restrict at, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[at[i]] * 2.0;
}
