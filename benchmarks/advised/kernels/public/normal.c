/* n = 400 */
void normal(int n, double X[n][n], double G[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            G[i][j] = 0;
            for (int k = 0; k < n; k++)
                G[i][j] += X[k][i] * X[k][j];
        }
}
