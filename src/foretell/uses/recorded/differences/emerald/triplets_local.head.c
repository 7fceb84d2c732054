void spmv_triplets(int n, const double *a, const int *col, const double *x, double *y)
{
    for (int i = 0; i < n / 8; i++) {
        double sum = 0;
        for (int k = 8 * i; k < 8 * i + 8; k++)
            sum += a[k] * x[col[k] & 511];
        y[i] = sum;
    }
}
