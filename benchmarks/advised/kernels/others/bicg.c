/* n = 1500 */
void bicg(int n, double A[n][n], double s[n], double q[n], double p[n], double r[n]) {
    for (int i = 0; i < n; i++)
        s[i] = 0;
    for (int i = 0; i < n; i++) {
        q[i] = 0;
        for (int j = 0; j < n; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
    }
}
