/* n = 280 */
void distances(int n, double D[n][n], double X[n][n], double Y[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            D[i][j] = 0;
            for (int k = 0; k < n; k++)
                D[i][j] += (X[i][k] - Y[j][k]) * (X[i][k] - Y[j][k]);
        }
}
