void keep(int n, const double *restrict x, double *restrict y, int *restrict kept)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 1.0)
            y[k++] = x[i];
    kept[0] = k;
}
