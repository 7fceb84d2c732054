/* n = 700 */
void forward(int n, double L[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < i; k++)
                B[i][j] -= L[i][k] * B[k][j];
            B[i][j] /= L[i][i];
        }
}
