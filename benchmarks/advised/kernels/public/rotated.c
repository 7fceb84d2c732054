/* n = 1600 */
void rotated(int n, double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[j][n - 1 - i] = A[i][j];
}
