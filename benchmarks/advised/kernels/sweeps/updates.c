/* n = 300 */
void updates(int n, double A[n][n], double U[n][n], double V[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                A[i][j] += U[k][i] * V[k][j];
}
