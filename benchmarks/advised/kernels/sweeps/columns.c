/* n = 1100 */
void columns(int n, double A[n][n], double s[n], double q[n]) {
    for (int j = 0; j < n; j++) {
        s[j] = 0;
        q[j] = 1;
        for (int i = 0; i < n; i++) {
            s[j] += A[i][j];
            q[j] += A[i][j] * A[i][j];
        }
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            A[i][j] = A[i][j] / q[j];
}
