/* n = 900 */
void diffuse(int n, double u[n][n], double d[n][n], double w[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            w[i][j] = u[i][j] + (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j] - 4.0 * u[i][j]) / (d[i][j] + 4.0);
}
