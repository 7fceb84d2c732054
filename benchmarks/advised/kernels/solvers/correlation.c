/* n = 260 */
double sqrt(double);
void correlation(int n, double data[n][n], double corr[n][n], double mean[n], double dev[n]) {
    for (int j = 0; j < n; j++) {
        mean[j] = 0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= n;
    }
    for (int j = 0; j < n; j++) {
        dev[j] = 0;
        for (int i = 0; i < n; i++)
            dev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        dev[j] = sqrt(dev[j] / n) + 0.1;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            data[i][j] = (data[i][j] - mean[j]) / dev[j];
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            corr[i][j] = 0;
            for (int k = 0; k < n; k++)
                corr[i][j] += data[k][i] * data[k][j];
        }
}
