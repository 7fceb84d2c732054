/* n = 1500 */
void upwind(int n, double q[n][n], double c[n][n], double r[n][n]) {
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++) {
            if (c[i][j] > 0.75)
                r[i][j] = q[i][j] - c[i][j] * (q[i][j] - q[i - 1][j]);
            else
                r[i][j] = q[i][j] - c[i][j] * (q[i + 1][j] - q[i][j]);
        }
}
