void copy_scaled(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        *y++ = 0.5 * *x++;
}
