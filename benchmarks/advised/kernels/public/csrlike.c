/* n = 60000 */
void csrlike(int n, double value[n][7], int column[n][7], double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = 0; k < 7; k++)
            y[i] += value[i][k] * x[column[i][k]];
    }
}
