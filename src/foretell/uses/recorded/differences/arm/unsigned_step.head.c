void evens(int n, const double *restrict x, double *restrict y)
{
    for (unsigned i = 0; i < (unsigned)n; i += 2)
        y[i] = x[i] * 3.0;
}
