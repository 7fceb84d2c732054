void trace_sum(int n, const double *restrict a, double *restrict out)
{
    for (int d = 0; d < n; d++) {
        double s = 0;
        for (int i = 0; i < n; i++)
            s += a[d * n + i];
        out[d] = s;
    }
}
