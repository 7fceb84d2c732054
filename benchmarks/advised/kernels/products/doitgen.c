/* n = 90 */
void doitgen(int n, double A[n][n][n], double C[n][n], double s[n]) {
    for (int r = 0; r < n; r++)
        for (int q = 0; q < n; q++) {
            for (int p = 0; p < n; p++) {
                s[p] = 0;
                for (int k = 0; k < n; k++)
                    s[p] += A[r][q][k] * C[k][p];
            }
            for (int p = 0; p < n; p++)
                A[r][q][p] = s[p];
        }
}
