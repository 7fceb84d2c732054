void shifted(int n, const long *limit, const double *x, double *y)
{
    long last = n;
    for (long i = 0; i < last; i++)
        y[i] = x[i] + 1;
}
