/* n = 1024 */
void blockedadd(int n, double A[n][n], double B[n][n]) {
    for (int ii = 0; ii < n; ii += 8)
        for (int jj = 0; jj < n; jj += 8)
            for (int j = jj; j < jj + 8; j++)
                for (int i = ii; i < ii + 8; i++)
                    A[i][j] += 0.5 * B[i][j];
}
