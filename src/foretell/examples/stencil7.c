/* A 7-point Jacobi sweep: every point becomes a weighted sum of itself and its six neighbours. */
void sweep(int n, double c0, double c1, const double u[n][n][n], double un[n][n][n])
{
    for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++)
                un[k][j][i] = c0 * u[k][j][i]
                            + c1 * (u[k][j][i - 1] + u[k][j][i + 1] + u[k][j - 1][i]
                                    + u[k][j + 1][i] + u[k - 1][j][i] + u[k + 1][j][i]);
}
