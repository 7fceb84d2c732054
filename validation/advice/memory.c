/* Loop nests of columns, transposes, products in every order, filters, batches and gathers in L2, L3 and memory, whose
   changes are measured in pairs: fixed before anything of them was predicted. */

/* n = 256 */
void columnmax256(int n, double A[n][n], double m[n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            m[j] = A[i][j] > m[j] ? A[i][j] : m[j];
}

/* n = 361 */
void columnsquares(int n, double A[restrict n][n], double q[restrict n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            q[j] += A[i][j] * A[i][j];
}

/* n = 1024 */
void columnadd1024(int n, double A[n][n], double B[n][n], double C[n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            C[i][j] = A[i][j] + B[i][j];
}

/* n = 1021 */
void columnadd1021(int n, double A[n][n], double B[n][n], double C[n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            C[i][j] = A[i][j] + B[i][j];
}

/* n = 3001 */
void columndot(int n, double A[restrict n][n], double x[restrict n], double y[restrict n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            y[j] += A[i][j] * x[i];
}

/* n = 128 */
void cubecopy128(int n, double A[restrict n][n][n], double B[restrict n][n][n]) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                B[i][j][k] = 2.0 * A[i][j][k];
}

/* n = 101 */
void cubecopy101(int n, double A[restrict n][n][n], double B[restrict n][n][n]) {
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                B[i][j][k] = 2.0 * A[i][j][k];
}

/* n = 130 */
void pencils(int n, double A[n][n][n], double s[n][n]) {
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                s[j][k] += A[i][j][k];
}

/* n = 600 */
void transpose600(int n, double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[j][i] = A[i][j];
}

/* n = 1024 */
void transpose1024(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = A[j][i];
}

/* n = 2500 */
void transpose2500(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[j][i] = A[i][j];
}

/* n = 900 */
void exchanged(int n, double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double t = A[i][j];
            A[i][j] = A[j][i];
            A[j][i] = t;
        }
}

/* n = 140 */
void permute3(int n, double A[restrict n][n][n], double B[restrict n][n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                B[k][i][j] = A[i][j][k];
}

/* n = 1200 */
void blockedtranspose(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int p = 0; p < n; p += 40)
        for (int q = 0; q < n; q += 40)
            for (int i = p; i < p + 40; i++)
                for (int j = q; j < q + 40; j++)
                    B[j][i] = 0.5 * A[i][j];
}

/* n = 350 */
void productjki(int n, double A[n][n], double B[n][n], double C[n][n]) {
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                C[i][j] += A[i][k] * B[k][j];
}

/* n = 320 */
void productkji(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                C[i][j] += A[i][k] * B[k][j];
}

/* n = 384 */
void productjik(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += A[i][k] * B[k][j];
            C[i][j] = s;
        }
}

/* n = 450 */
void productkij(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                C[i][j] += A[i][k] * B[k][j];
}

/* n = 256 */
void productikj(int n, double A[n][n], double B[n][n], double C[n][n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                C[i][j] += A[i][k] * B[k][j];
}

/* n = 512 */
void productijk(int n, double A[n][n], double B[n][n], double C[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}

/* n = 300 */
void bothtransposed(int n, double A[n][n], double B[n][n], double C[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += A[k][i] * B[j][k];
            C[i][j] = s;
        }
}

/* n = 1500 */
void hotspot(int n, double T[n][n], double P[n][n], double R[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            R[i][j] = T[i][j] + 0.2 * (P[i][j] + (T[i + 1][j] + T[i - 1][j] - 2.0 * T[i][j]) * 0.3
                                       + (T[i][j + 1] + T[i][j - 1] - 2.0 * T[i][j]) * 0.4);
}

/* n = 90 */
void box27(int n, double A[restrict n][n][n], double B[restrict n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                double s = 0;
                for (int p = -1; p < 2; p++)
                    for (int q = -1; q < 2; q++)
                        s += A[i + p][j + q][k - 1] + A[i + p][j + q][k] + A[i + p][j + q][k + 1];
                B[i][j][k] = s / 27.0;
            }
}

/* n = 160 */
void farneighbours(int n, double A[restrict n][n][n], double B[restrict n][n][n]) {
    for (int i = 3; i < n - 3; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                B[i][j][k] = 0.4 * (A[i - 1][j][k] + A[i + 1][j][k]) + 0.2 * (A[i - 2][j][k] + A[i + 2][j][k])
                    + 0.1 * (A[i - 3][j][k] + A[i + 3][j][k]) - A[i][j][k];
}

/* n = 1000 */
void everysecond(int n, double A[n][n], double b[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j += 2)
            A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) + b[i][j];
}

/* n = 200000 */
void steps(int n, double a[restrict n], double b[restrict n]) {
    for (int t = 0; t < 10; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] + 0.1 * a[i];
    }
}

/* n = 20000 */
void batch4(int n, double A[n][4][4], double B[n][4][4], double C[n][4][4]) {
    for (int b = 0; b < n; b++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                double s = 0;
                for (int k = 0; k < 4; k++)
                    s += A[b][i][k] * B[b][k][j];
                C[b][i][j] = s;
            }
}

/* n = 6000 */
void batchvector(int n, double A[n][8][8], double x[n][8], double y[n][8]) {
    for (int b = 0; b < n; b++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                y[b][i] += A[b][i][j] * x[b][j];
}

/* n = 8000 */
void interleaved(int n, double A[5][5][n], double B[5][5][n], double C[5][5][n]) {
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 5; k++)
                for (int b = 0; b < n; b++)
                    C[i][j][b] += A[i][k][b] * B[k][j][b];
}

/* n = 1500 */
void bodies(int n, double p[n][4], double e[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double dx = p[i][0] - p[j][0], dy = p[i][1] - p[j][1], dz = p[i][2] - p[j][2];
            e[i] += p[j][3] / (dx * dx + dy * dy + dz * dz + 0.01);
        }
}

/* n = 400000 */
void moved(int n, double p[n][4], double v[n][4]) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            p[i][c] += 0.01 * v[i][c];
}

/* n = 300000 */
void kinetic(int n, double v[n][6], double e[n]) {
    for (int i = 0; i < n; i++)
        e[i] = 0.5 * v[i][0] * (v[i][3] * v[i][3] + v[i][4] * v[i][4] + v[i][5] * v[i][5]);
}

/* n = 200000 */
void gathered(int n, int index[n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++)
        y[i] = 0.5 * x[index[i]] + y[i];
    for (int i = 0; i < n; i++)
        y[i] = y[i] * 1.5;
}

/* n = 60000 */
void ellpack(int n, int column[n][8], double value[n][8], double x[n], double y[n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++)
            y[i] += value[i][k] * x[column[i][k]];
}

/* n = 4000 */
void ellpackcolumns(int n, int column[16][n], double value[16][n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 16; k++)
            y[i] += value[k][i] * x[column[k][i]];
}

/* n = 1500 */
void lowerrows(int n, double L[restrict n][n], double x[restrict n], double y[restrict n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            y[j] += L[i][j] * x[i];
}

/* n = 1200 */
void lowercolumns(int n, double L[n][n], double x[n], double y[n]) {
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            y[i] += L[i][j] * x[j];
}

/* n = 280 */
void normalequations(int n, double L[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = i; k < n; k++)
                C[i][j] += L[k][i] * L[k][j];
}

/* n = 700 */
void elimination(int n, double A[n][n], double l[n], double u[n]) {
    for (int j = 1; j < n; j++)
        for (int i = 1; i < n; i++)
            A[i][j] -= l[i] * u[j] / A[0][0];
}

/* n = 1000 */
void rowfilter(int n, double A[n][n], double w[7], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - 7; j++) {
            double s = 0;
            for (int t = 0; t < 7; t++)
                s += w[t] * A[i][j + t];
            B[i][j] = s;
        }
}

/* n = 1000 */
void columnfilter(int n, double A[n][n], double w[9], double B[n][n]) {
    for (int i = 0; i < n - 9; i++)
        for (int j = 0; j < n; j++)
            for (int t = 0; t < 9; t++)
                B[i][j] += w[t] * A[i + t][j];
}

/* n = 800 */
void edges(int n, double A[restrict n][n], double G[restrict n][n]) {
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++) {
            double gx = A[i - 1][j + 1] + 2.0 * A[i][j + 1] + A[i + 1][j + 1] - A[i - 1][j - 1] - 2.0 * A[i][j - 1] - A[i + 1][j - 1];
            double gy = A[i + 1][j - 1] + 2.0 * A[i + 1][j] + A[i + 1][j + 1] - A[i - 1][j - 1] - 2.0 * A[i - 1][j] - A[i - 1][j + 1];
            G[i][j] = gx * gx + gy * gy;
        }
}

/* n = 600 */
void twofilters(int n, double A[n][n], double S[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n - 1; j++)
            S[i][j] = 0.25 * A[i][j - 1] + 0.5 * A[i][j] + 0.25 * A[i][j + 1];
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++)
            B[i][j] = 0.25 * S[i - 1][j] + 0.5 * S[i][j] + 0.25 * S[i + 1][j];
}

/* n = 65536 */
void sevenstreams(int n, double a[n], double b[n], double c[n], double d[n], double e[n], double f[n], double g[n]) {
    for (int i = 0; i < n; i++) {
        a[i] = b[i] + 0.5 * c[i];
        d[i] = e[i] * f[i];
        g[i] = b[i] - f[i];
    }
}

/* n = 4096 */
void manyrows(int n, double A[24][n], double y[n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < 24; i++)
            y[j] += A[i][j] * 0.125;
}

/* n = 1150 */
void gemv(int n, double A[n][n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] += A[i][j] * x[j];
}

/* n = 2600 */
void channels(int n, double w[32][32], double x[32][n], double y[32][n]) {
    for (int c = 0; c < 32; c++)
        for (int k = 0; k < 32; k++)
            for (int i = 0; i < n; i++)
                y[c][i] += w[c][k] * x[k][i];
}

/* n = 70 */
void fourloops(int n, double A[restrict n][n][n], double B[restrict n][n], double C[restrict n][n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    C[i][j][k] += A[i][l][j] * B[l][k];
}

/* n = 1111 */
void columnprefix(int n, double A[n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++)
            A[i][j] += A[i - 1][j];
}

/* n = 2048 */
void strided2048(int n, double A[n][n], double B[n][16]) {
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < n; i++)
            B[i][j] = A[i][j] + A[i][j + 16];
}

/* n = 3200 */
void longrows(int n, double A[restrict n][n], double B[restrict n][n], double d[restrict n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = (A[i][j] - d[i]) / d[j];
}
