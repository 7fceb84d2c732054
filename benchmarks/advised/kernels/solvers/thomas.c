/* n = 1000 */
void thomas(int n, double a[n], double b[n], double c[n], double D[n][n], double W[n]) {
    W[0] = c[0] / (b[0] + 2);
    for (int i = 1; i < n; i++)
        W[i] = c[i] / (b[i] + 2 - a[i] * W[i - 1]);
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++)
            D[i][j] = (D[i][j] - a[i] * D[i - 1][j]) / (b[i] + 2 - a[i] * W[i - 1]);
    for (int j = 0; j < n; j++)
        for (int i = n - 2; i >= 0; i--)
            D[i][j] -= W[i] * D[i + 1][j];
}
