void spmv_ell(int n, const double *restrict a, const int *restrict col, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < 8; k++)
            sum += a[k * n + i] * x[col[k * n + i] & 1023];
        y[i] = sum;
    }
}
