void thin(int n, const double *restrict a, double *restrict c)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + 1;
}
