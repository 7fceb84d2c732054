/* n = 800 */
void wave(int n, double next[n][n], double now[n][n], double last[n][n], double c[n][n]) {
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++)
            next[i][j] = 2 * now[i][j] - last[i][j] + c[i][j] * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] +
                         now[i][j + 1] - 4 * now[i][j]);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            last[i][j] = now[i][j];
}
