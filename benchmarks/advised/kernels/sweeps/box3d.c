/* n = 110 */
void box3d(int n, double B[n][n][n], double A[n][n][n]) {
    for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++)
                B[i][j][k] = (A[i][j][k] + A[i - 1][j][k] + A[i + 1][j][k] + A[i][j - 1][k] + A[i][j + 1][k] +
                              A[i][j][k - 1] + A[i][j][k + 1]) / 7.0;
}
