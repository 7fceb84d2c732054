void turn(int n, const double *restrict a, double *restrict b)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            b[i * n + j] = a[j * n + i];
}
