/* n = 1200 */
void columnnorms(int n, double A[n][n], double s[n]) {
    for (int j = 0; j < n; j++) {
        double t = 0;
        for (int i = 0; i < n; i++)
            t += A[i][j] * A[i][j];
        s[j] = t;
    }
}
