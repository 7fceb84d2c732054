void exact_sum(int n, const double *x, double *out)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    *out = s;
}
