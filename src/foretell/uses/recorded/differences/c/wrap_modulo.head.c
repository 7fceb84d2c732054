void shift(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i + 7 < n ? i + 7 : i + 7 - n];
}
