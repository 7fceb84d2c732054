void heat_small(int n, const double *restrict a, double *restrict b)
{
    for (int row = 1; row < n - 1; row++)
        for (int j = 1; j < n - 1; j++)
            b[row * n + j] = 0.25 * (a[(row - 1) * n + j] + a[(row + 1) * n + j] + a[row * n + j - 1] + a[row * n + j + 1]);
}
