void least(int n, const double *restrict x, double *restrict out)
{
    double m = x[0];
    for (int i = 1; i < n; i++)
        m += x[i] < m ? x[i] - m : 0;
    out[0] = m;
}
