/* n = 240 */
void mm2(int n, double alpha, double beta, double t[n][n], double A[n][n], double B[n][n], double
    C[n][n], double D[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            t[i][j] = 0;
            for (int k = 0; k < n; k++)
                t[i][j] += alpha * A[i][k] * B[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            D[i][j] *= beta;
            for (int k = 0; k < n; k++)
                D[i][j] += t[i][k] * C[k][j];
        }
}
