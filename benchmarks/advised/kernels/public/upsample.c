/* n = 800 */
void upsample(int n, double in[n][n], double out[2 * n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            out[2 * i][j] = in[i][j];
            out[2 * i + 1][j] = 0.25 * in[i][j];
        }
}
