/* n = 1300 */
void bilinear(int n, double A[n][n], double x[n], double y[n], double r[n]) {
    r[0] = 0;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++)
            s += A[i][j] * y[j];
        r[0] += x[i] * s;
    }
}
