void greatest(int n, const double *restrict x, double *restrict value, int *restrict at)
{
    double m = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > m)
            m = x[i];
    value[0] = m;
}
