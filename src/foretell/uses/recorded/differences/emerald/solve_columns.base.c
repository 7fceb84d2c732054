void lower_solve(int n, const double *restrict l, const double *restrict b, double *restrict x)
{
    for (int i = 0; i < n; i++) {
        double sum = b[i];
        for (int j = 0; j < i; j++)
            sum -= l[i * n + j] * x[j];
        x[i] = sum;
    }
}
