void relax(int n, const double *restrict b, double *restrict u)
{
    for (int colour = 0; colour < 2; colour++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i + colour) % 2; j < n - 1; j += 2)
                u[i * n + j] = 0.25 * (u[i * n + j - 1] + u[i * n + j + 1] + u[(i - 1) * n + j] + u[(i + 1) * n + j] - b[i * n + j]);
}
