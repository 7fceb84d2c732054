void keep(int n, const double *restrict x, double *restrict y, int *restrict kept)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        y[k] = x[i];
        k += x[i] > 1.0;
    }
    kept[0] = k;
}
