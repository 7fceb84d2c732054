void lookup(int n, const int *restrict at, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = at[i] >= 0 && at[i] < n ? x[at[i]] : 0;
}
