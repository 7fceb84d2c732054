void column_sums(int n, const double *restrict a, double *restrict s)
{
    for (int j = 0; j < n; j++) {
        double t = 0;
        for (int i = 0; i < n; i++)
            t += a[i * 260 + j];
        s[j] = t;
    }
}
