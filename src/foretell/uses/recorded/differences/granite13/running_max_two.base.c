void envelope_max(int n, const double *x, double *out)
{
    double m = x[0];
    for (int i = 0; i < n; i++)
        m = x[i] > m ? x[i] : m;
    *out = m;
}
