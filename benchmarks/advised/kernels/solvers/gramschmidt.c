/* n = 200 */
double sqrt(double);
void gramschmidt(int n, double A[n][n], double R[n][n], double Q[n][n]) {
    for (int k = 0; k < n; k++) {
        double norm = 0;
        for (int i = 0; i < n; i++)
            norm += A[i][k] * A[i][k];
        R[k][k] = sqrt(norm);
        for (int i = 0; i < n; i++)
            Q[i][k] = A[i][k] / R[k][k];
        for (int j = k + 1; j < n; j++) {
            R[k][j] = 0;
            for (int i = 0; i < n; i++)
                R[k][j] += Q[i][k] * A[i][j];
            for (int i = 0; i < n; i++)
                A[i][j] = A[i][j] - Q[i][k] * R[k][j];
        }
    }
}
