/* n = 500 */
void adi(int n, double u[n][n], double v[n][n], double p[n][n], double q[n][n]) {
    for (int i = 1; i < n - 1; i++) {
        v[0][i] = 1;
        p[i][0] = 0;
        q[i][0] = v[0][i];
        for (int j = 1; j < n - 1; j++) {
            p[i][j] = 0.4 / (1.8 - 0.4 * p[i][j - 1]);
            q[i][j] = (0.3 * u[j][i - 1] + 0.4 * u[j][i] + 0.3 * u[j][i + 1] + 0.4 * q[i][j - 1]) /
                      (1.8 - 0.4 * p[i][j - 1]);
        }
        v[n - 1][i] = 1;
        for (int j = n - 2; j >= 1; j--)
            v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
}
