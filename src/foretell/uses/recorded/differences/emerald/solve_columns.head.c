void lower_solve(int n, const double *restrict l, const double *restrict b, double *restrict x)
{
    for (int i = 0; i < n; i++)
        x[i] = b[i];
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++)
            x[i] -= l[i * n + j] * x[j];
}
