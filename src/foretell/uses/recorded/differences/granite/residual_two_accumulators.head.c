void residual_norm(int n, const double *a, const double *b, double *out)
{
    double s = 0, t = 0;
    for (int i = 0; i + 1 < n; i += 2) {
        double d = a[i] - b[i], e = a[i + 1] - b[i + 1];
        s += d * d;
        t += e * e;
    }
    if (n & 1)
        s += (a[n - 1] - b[n - 1]) * (a[n - 1] - b[n - 1]);
    *out = s + t;
}
