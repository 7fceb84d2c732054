/* n = 280 */
void weighted(int n, double C[n][n], double A[n][n], double B[n][n], double w[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += w[k] * A[i][k] * B[j][k];
            C[i][j] += s;
        }
}
