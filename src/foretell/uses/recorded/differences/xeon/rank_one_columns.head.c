void downdate(int n, const double *restrict v, double *restrict a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            a[i * n + j] -= v[i] * v[j];
}
