/* n = 120 */
void slabs(int n, double T[n][n][n], double K[n][n][n], double R[n][n][n]) {
    for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++)
                R[i][j][k] = K[i][j][k] * (T[i + 1][j][k] + T[i - 1][j][k] + T[i][j + 1][k] + T[i][j - 1][k]
                                           + T[i][j][k + 1] + T[i][j][k - 1] - 6.0 * T[i][j][k]);
}
