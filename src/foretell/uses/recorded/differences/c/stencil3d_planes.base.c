void diffuse(int n, const double *restrict a, double *restrict b)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                b[(i * n + j) * n + k] = a[(i * n + j) * n + k] + 0.1 * (a[((i - 1) * n + j) * n + k]
                    + a[((i + 1) * n + j) * n + k] + a[(i * n + j - 1) * n + k] + a[(i * n + j + 1) * n + k]);
}
