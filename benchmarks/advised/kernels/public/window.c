/* n = 1000 */
void window(int n, double A[n][n], double B[n][n]) {
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < n - 2; j++) {
            B[i][j] = 0;
            for (int u = -2; u <= 2; u++)
                for (int v = -2; v <= 2; v++)
                    B[i][j] += 0.04 * A[i + u][j + v];
        }
}
