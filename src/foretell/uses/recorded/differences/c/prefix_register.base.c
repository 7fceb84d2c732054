void prefix(int n, const double *a, double *c)
{
    c[0] = a[0];
    for (int i = 1; i < n; i++)
        c[i] = c[i - 1] + a[i];
}
