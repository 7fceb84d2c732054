/* n = 1200 */
void gesummv(int n, double alpha, double beta, double A[n][n], double B[n][n], double t[n], double x[n],
    double y[n]) {
    for (int i = 0; i < n; i++) {
        t[i] = 0;
        y[i] = 0;
        for (int j = 0; j < n; j++) {
            t[i] = A[i][j] * x[j] + t[i];
            y[i] = B[i][j] * x[j] + y[i];
        }
        y[i] = alpha * t[i] + beta * y[i];
    }
}
