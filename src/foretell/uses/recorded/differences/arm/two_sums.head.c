void dot_pair(int n, const double *restrict a, const double *restrict b, double *restrict out)
{
    double s = 0, t = 0;
    for (int i = 0; i < n; i += 2) {
        s += a[i] * b[i];
        t += a[i + 1] * b[i + 1];
    }
    out[0] = s + t;
}
