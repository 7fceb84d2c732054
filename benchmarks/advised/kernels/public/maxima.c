/* n = 1500 */
void maxima(int n, double A[n][n], double m[n]) {
    for (int i = 0; i < n; i++) {
        m[i] = A[i][0];
        for (int j = 1; j < n; j++)
            if (A[i][j] > m[i])
                m[i] = A[i][j];
    }
}
