void row_sums(int n, const double *a, double *out)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += a[i * n + j];
        out[i] = sum;
    }
}
