/* n = 56 */
void contraction(int n, double C[n][n], double A[n][n][n], double B[n][n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i][j] = 0;
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    C[i][j] += A[i][k][l] * B[l][k][j];
        }
}
