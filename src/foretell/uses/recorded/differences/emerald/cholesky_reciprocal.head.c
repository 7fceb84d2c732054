void scale_columns(int n, const double *restrict d, double *restrict a)
{
    for (int i = 0; i < n; i++) {
        double inverse = 1.0 / d[i];
        for (int j = 0; j < n; j++)
            a[i * n + j] = (a[i * n + j] + 1.0) * inverse;
    }
}
