/* n = 500 */
void fdtd2d(int n, double ex[n][n], double ey[n][n], double hz[n][n]) {
    for (int t = 0; t < 4; t++) {
        for (int j = 0; j < n; j++)
            for (int i = 1; i < n; i++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int j = 1; j < n; j++)
            for (int i = 0; i < n; i++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int j = 0; j < n - 1; j++)
            for (int i = 0; i < n - 1; i++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}
