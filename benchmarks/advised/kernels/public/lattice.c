/* n = 400 */
void lattice(int n, double f[9][n][n], double rho[n][n], double ux[n][n], double uy[n][n]) {
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++) {
            double r = 0, a = 0, b = 0;
            for (int q = 0; q < 9; q++)
                r += f[q][y][x];
            a = f[1][y][x] + f[5][y][x] + f[8][y][x] - f[3][y][x] - f[6][y][x] - f[7][y][x];
            b = f[2][y][x] + f[5][y][x] + f[6][y][x] - f[4][y][x] - f[7][y][x] - f[8][y][x];
            rho[y][x] = r;
            ux[y][x] = a / r;
            uy[y][x] = b / r;
        }
}
