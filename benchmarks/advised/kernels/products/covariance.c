/* n = 260 */
void covariance(int n, double data[n][n], double cov[n][n], double mean[n]) {
    for (int j = 0; j < n; j++) {
        mean[j] = 0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            data[i][j] -= mean[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            cov[i][j] = 0;
            for (int k = 0; k < n; k++)
                cov[i][j] += data[k][i] * data[k][j];
        }
}
