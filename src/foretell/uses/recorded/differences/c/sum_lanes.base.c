void sum(int n, const double *restrict a, double *restrict out)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    out[0] = s;
}
