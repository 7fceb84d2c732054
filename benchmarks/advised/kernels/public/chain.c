/* n = 180 */
void chain(int n, double A[n][n][n], double C[n][n], double B[n][n][n]) {
    for (int p = 0; p < n; p++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < 8; l++)
                    B[p][j][k] += A[p][l][k] * C[l][j];
}
