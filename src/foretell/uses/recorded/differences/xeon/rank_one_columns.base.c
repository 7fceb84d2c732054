void downdate(int n, const double *restrict v, double *restrict a)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            a[i * n + j] -= v[i] * v[j];
}
