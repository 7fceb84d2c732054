void sum(int n, const double *restrict a, double *restrict out)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int i = 0; i < n; i += 4) {
        s0 += a[i];
        s1 += a[i + 1];
        s2 += a[i + 2];
        s3 += a[i + 3];
    }
    out[0] = s0 + s1 + (s2 + s3);
}
