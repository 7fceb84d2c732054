void spmv_triplets(int n, const double *a, const int *col, const double *x, double *y)
{
    for (int i = 0; i < n / 8; i++)
        y[i] = 0;
    for (int k = 0; k < n; k++)
        y[k >> 3] += a[k] * x[col[k] & 511];
}
