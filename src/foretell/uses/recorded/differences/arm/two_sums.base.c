void dot_pair(int n, const double *restrict a, const double *restrict b, double *restrict out)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    out[0] = s;
}
