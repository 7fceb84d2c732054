void moments(int n, const double *restrict x, double *restrict out)
{
    double s = 0, q = 0;
    for (int i = 0; i < n; i++) {
        s += x[i];
    }
    for (int i = 0; i < n; i++) {
        q += (x[i] - s / n) * (x[i] - s / n);
    }
    out[0] = s;
    out[1] = q;
}
