void column_sums(int n, const double *restrict a, double *restrict out)
{
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i * n + j];
        out[j] = sum;
    }
}
