void residual_norm(int n, const double *a, const double *b, double *out)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        double d = a[i] - b[i];
        s += d * d;
    }
    *out = s;
}
