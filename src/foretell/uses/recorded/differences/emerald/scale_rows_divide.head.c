void scale_rows(int n, const double *restrict a, const double *restrict d, double *restrict out)
{
    for (int i = 0; i < n; i++) {
        double by = 1 / d[i];
        for (int j = 0; j < n; j++)
            out[i * n + j] = a[i * n + j] * by;
    }
}
