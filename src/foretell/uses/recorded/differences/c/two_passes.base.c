void moments(int n, const double *restrict x, double *restrict out)
{
    double s = 0, q = 0;
    for (int i = 0; i < n; i++) {
        s += x[i];
        q += x[i] * x[i];
    }
    out[0] = s;
    out[1] = q;
}
