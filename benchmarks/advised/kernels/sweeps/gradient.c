/* n = 900 */
void gradient(int n, double img[n][n], double gx[n][n], double gy[n][n]) {
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++) {
            gx[i][j] = img[i - 1][j + 1] - img[i - 1][j - 1] + 2 * (img[i][j + 1] - img[i][j - 1]) +
                       img[i + 1][j + 1] - img[i + 1][j - 1];
            gy[i][j] = img[i + 1][j - 1] - img[i - 1][j - 1] + 2 * (img[i + 1][j] - img[i - 1][j]) +
                       img[i + 1][j + 1] - img[i - 1][j + 1];
        }
}
