/* n = 256 */
void chebyshev(int n, double A[n][n], double u[n][n], double v[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                v[i][j] += A[i][k] * u[k][j];
}
