void evens(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i += 2)
        y[i] = x[i] * 3.0;
}
