void dot_norm(int n, const double *a, const double *b, double *out)
{
    double d = 0, q = 0;
    for (int i = 0; i < n; i++)
        d += a[i] * b[i];
    for (int i = 0; i < n; i++)
        q += a[i] * a[i];
    out[0] = d;
    out[1] = q;
}
