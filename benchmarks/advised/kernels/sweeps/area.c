/* n = 900 */
void area(int n, double S[n][n], double A[n][n]) {
    for (int j = 1; j < n; j++)
        for (int i = 1; i < n; i++)
            S[i][j] = A[i][j] + S[i - 1][j] + 0.5 * S[i][j - 1] - 0.5 * S[i - 1][j - 1];
}
