void shifted(int n, const long *limit, const double *x, double *y)
{
    for (long i = 0; i < *limit; i++)
        y[i] = x[i] + 1;
}
