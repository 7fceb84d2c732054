/* n = 320 */
void gemm(int n, double alpha, double beta, double C[n][n], double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = beta * C[i][j];
            for (int k = 0; k < n; k++)
                s += alpha * A[i][k] * B[k][j];
            C[i][j] = s;
        }
}
