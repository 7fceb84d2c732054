void pick(int n, const double *restrict x, const int *restrict index, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] + index[i];
}
