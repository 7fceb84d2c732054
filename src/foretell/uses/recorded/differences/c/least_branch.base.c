void least(int n, const double *restrict x, double *restrict out)
{
    double m = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] < m)
            m = x[i];
    out[0] = m;
}
