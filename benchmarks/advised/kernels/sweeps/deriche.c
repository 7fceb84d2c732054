/* n = 700 */
void deriche(int n, double img[n][n], double y[n][n], double z[n][n], double out[n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++)
            y[i][j] = 0.4 * img[i][j] + 0.3 * img[i - 1][j] + 0.5 * y[i - 1][j];
    for (int j = 0; j < n; j++)
        for (int i = n - 2; i >= 0; i--)
            z[i][j] = 0.2 * img[i + 1][j] + 0.5 * z[i + 1][j];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            out[i][j] = y[i][j] + z[i][j];
}
