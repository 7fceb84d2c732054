/* Loop nests as weather, ocean, fluid, finite element, chemistry, image and learning codes have them, whose changes are
   measured in pairs: fixed before anything of them was predicted. */

/* n = 96 */
void vertical_mixing(int n, double T[n][n][n], double K[n][n][n], double R[n][n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            for (int k = 1; k < n - 1; k++)
                R[k][j][i] = K[k + 1][j][i] * (T[k + 1][j][i] - T[k][j][i]) - K[k][j][i] * (T[k][j][i] - T[k - 1][j][i]);
}

/* n = 80 */
void column_physics(int n, double q[n][n][n], double p[n][n][n], double rain[n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += q[k][j][i] * p[k][j][i];
            rain[j][i] = 0.1 * s;
        }
}

/* n = 1100 */
void shallow_water(int n, double h[n][n], double u[n][n], double v[n][n], double z[n][n], double e[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            z[i][j] = (v[i + 1][j] - v[i][j] - u[i][j + 1] + u[i][j]) / (h[i][j] + h[i + 1][j] + h[i][j + 1] + h[i + 1][j + 1]);
            e[i][j] = 0.25 * (u[i][j] * u[i][j] + v[i][j] * v[i][j]) + h[i][j];
        }
}

/* n = 128 */
void donor_cell(int n, double c[restrict n][n][n], double w[restrict n][n][n], double f[restrict n][n][n]) {
    for (int i = 0; i < n; i++)
        for (int k = 1; k < n; k++)
            for (int j = 0; j < n; j++)
                f[k][j][i] = 0.5 * w[k][j][i] * (c[k][j][i] + c[k - 1][j][i]);
}

/* n = 1400 */
void harmonic_limiter(int n, double r[restrict n][n], double s[restrict n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n - 1; i++) {
            double a = r[i][j] - r[i - 1][j], b = r[i + 1][j] - r[i][j];
            s[i][j] = (2.0 * a * b) / (a + b + 1.5);
        }
}

/* n = 700 */
void element_scatter(int n, double m[restrict n][8], double x[restrict n][8], double y[restrict n][8]) {
    for (int e = 0; e < n; e++)
        for (int a = 0; a < 8; a++)
            for (int b = 0; b < 8; b++)
                y[e][a] += m[e][b] * x[e][(a + b) % 8];
}

/* n = 3000 */
void element_stiffness(int n, double D[restrict 8][8], double u[restrict n][8], double f[restrict n][8]) {
    for (int e = 0; e < n; e++)
        for (int a = 0; a < 8; a++)
            for (int b = 0; b < 8; b++)
                f[e][a] += D[a][b] * u[e][b];
}

/* n = 900 */
void spectral_gradient(int n, double D[restrict 10][10], double u[restrict n][10][10], double g[restrict n][10][10]) {
    for (int e = 0; e < n; e++)
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 10; j++)
                for (int l = 0; l < 10; l++)
                    g[e][i][j] += D[i][l] * u[e][l][j];
}

/* n = 64 */
void four_index(int n, double V[n][n][n], double C[n][n], double W[n][n][n]) {
    for (int p = 0; p < n; p++)
        for (int q = 0; q < n; q++)
            for (int r = 0; r < n; r++)
                for (int s = 0; s < n; s++)
                    W[p][q][r] += V[p][s][r] * C[s][q];
}

/* n = 44 */
void triples(int n, double t[n][n][n], double v[n][n][n], double e[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                t[i][j][k] = (v[i][j][k] + v[j][k][i] - v[k][j][i]) / (e[i] + e[j] + e[k]);
}

/* n = 350 */
void overlap(int n, double S[n][n], double a[n], double x[n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            S[i][j] = a[i] * a[j] / (a[i] + a[j]) * (x[i] - x[j]) * (x[i] - x[j]);
}

/* n = 2600 */
void pair_forces(int n, double x[n], double m[n], double a[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i] += m[j] * (x[j] - x[i]) / ((x[j] - x[i]) * (x[j] - x[i]) + 0.01);
}

/* n = 64 */
void channels_convolution(int n, double in[restrict n][n][16], double w[restrict 3][3][16], double out[restrict n][n]) {
    for (int i = 0; i < n - 2; i++)
        for (int j = 0; j < n - 2; j++)
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    for (int c = 0; c < 16; c++)
                        out[i][j] += in[i + p][j + q][c] * w[p][q][c];
}

/* n = 48 */
void pointwise_layer(int n, double in[restrict 32][n][n], double w[restrict 24][32], double out[restrict 24][n][n]) {
    for (int o = 0; o < 24; o++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int c = 0; c < 32; c++)
                    out[o][i][j] += w[o][c] * in[c][i][j];
}

/* n = 130 */
void depthwise(int n, double in[n][n][12], double w[5][12], double out[n][n][12]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - 4; j++)
            for (int c = 0; c < 12; c++)
                for (int p = 0; p < 5; p++)
                    out[i][j][c] += in[i][j + p][c] * w[p][c];
}

/* n = 384 */
void attention_scores(int n, double Q[n][64], double K[n][64], double S[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int d = 0; d < 64; d++)
                s += Q[i][d] * K[j][d];
            S[i][j] = 0.125 * s;
        }
}

/* n = 700 */
void layer_norm(int n, double x[n][n], double g[n], double y[n][n], double m[n], double q[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            m[i] += x[i][j];
            q[i] += x[i][j] * x[i][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i][j] = (x[i][j] - m[i] * 0.001) * g[j] / (1.0 + q[i]);
}

/* n = 1000 */
void batch_norm(int n, double x[n][n], double m[n], double v[n], double y[n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            y[i][j] = (x[i][j] - m[j]) / (v[j] + 0.00001);
}

/* n = 900 */
void max_pool(int n, double x[restrict n][n], double y[restrict n][n]) {
    for (int j = 0; j < n - 1; j++)
        for (int i = 0; i < n - 1; i++) {
            double a = x[i][j] > x[i + 1][j] ? x[i][j] : x[i + 1][j];
            double b = x[i][j + 1] > x[i + 1][j + 1] ? x[i][j + 1] : x[i + 1][j + 1];
            y[i][j] = a > b ? a : b;
        }
}

/* n = 1300 */
void separable_blur(int n, double a[n][n], double b[n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 2; j < n - 2; j++)
            b[i][j] = 0.1 * (a[i][j - 2] + a[i][j + 2]) + 0.2 * (a[i][j - 1] + a[i][j + 1]) + 0.4 * a[i][j];
    for (int j = 0; j < n; j++)
        for (int i = 2; i < n - 2; i++)
            c[i][j] = 0.1 * (b[i - 2][j] + b[i + 2][j]) + 0.2 * (b[i - 1][j] + b[i + 1][j]) + 0.4 * b[i][j];
}

/* n = 800 */
void integral_rows(int n, double a[n][n], double s[n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++)
            s[i][j] = s[i - 1][j] + a[i][j];
}

/* n = 600 */
void centroids(int n, double x[n][6], double c[32][6], double d[n][32]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 32; k++)
            for (int f = 0; f < 6; f++)
                d[i][k] += (x[i][f] - c[k][f]) * (x[i][f] - c[k][f]);
}

/* n = 420 */
void kernel_matrix(int n, double X[restrict n][40], double G[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int f = 0; f < 40; f++)
                G[i][j] += X[i][f] * X[j][f];
}

/* n = 500 */
void panel_update(int n, double A[restrict n][n], double L[restrict n][32], double U[restrict 32][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 32; k++)
                A[i][j] -= L[i][k] * U[k][j];
}

/* n = 460 */
void reflector(int n, double A[n][n], double v[n], double w[n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            w[j] += v[i] * A[i][j];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            A[i][j] -= 0.5 * v[i] * w[j];
}

/* n = 1800 */
void back_substitution(int n, double U[n][n], double b[n]) {
    for (int j = n - 1; j > 0; j--)
        for (int i = 0; i < j; i++)
            b[i] -= U[i][j] * b[j] * 0.001;
}

/* n = 500 */
void many_tridiagonals(int n, double d[n][n], double u[n][n], double x[n][n]) {
    for (int s = 0; s < n; s++)
        for (int i = 1; i < n; i++)
            x[i][s] -= u[i][s] * x[i - 1][s] / d[i][s];
}

/* n = 30000 */
void ellpack_rows(int n, double v[restrict n][7], int c[restrict n][7], double x[restrict n], double y[restrict n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 7; k++)
            y[i] += v[i][k] * x[c[i][k]];
}

/* n = 20000 */
void ellpack_planes(int n, double v[restrict 7][n], int c[restrict 7][n], double x[restrict n], double y[restrict n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 7; k++)
            y[i] += v[k][i] * x[c[k][i]];
}

/* n = 40000 */
void push_particles(int n, double x[restrict n][3], double v[restrict n][3], double f[restrict n][3]) {
    for (int d = 0; d < 3; d++)
        for (int i = 0; i < n; i++) {
            v[i][d] += 0.01 * f[i][d];
            x[i][d] += 0.01 * v[i][d];
        }
}

/* n = 50000 */
void species(int n, double y[restrict 9][n], double k[restrict 9], double w[restrict n]) {
    for (int i = 0; i < n; i++)
        for (int s = 0; s < 9; s++)
            w[i] += k[s] * y[s][i];
}

/* n = 60 */
void collide(int n, double f[restrict 9][n][n], double rho[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int q = 0; q < 9; q++)
                rho[i][j] += f[q][i][j];
    for (int q = 0; q < 9; q++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                f[q][i][j] = 0.9 * f[q][i][j] + 0.011 * rho[i][j];
}

/* n = 1024 */
void corner_turn(int n, double a[restrict n][n], double b[restrict n][n], double w[restrict n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[j][i] = a[i][j] * w[j];
}

/* n = 110 */
void permute_tensor(int n, double a[restrict n][n][n], double b[restrict n][n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                b[k][i][j] = a[i][j][k];
}

/* n = 5000 */
void horner_table(int n, double c[restrict 12], double x[restrict n], double y[restrict n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 12; k++)
            y[i] = y[i] * x[i] * 0.1 + c[k];
}

/* n = 6000 */
void fir_bank(int n, double h[restrict 32], double x[restrict n], double y[restrict n]) {
    for (int i = 0; i < n - 32; i++)
        for (int t = 0; t < 32; t++)
            y[i] += h[t] * x[i + t];
}

/* n = 700 */
void anisotropic(int n, double k[n][n], double t[n][n], double r[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            r[i][j] = (k[i][j] + k[i][j + 1]) * (t[i][j + 1] - t[i][j]) / 3.0;
            r[i][j] += (k[i][j] + k[i + 1][j]) * (t[i + 1][j] - t[i][j]) / 3.0;
        }
}

/* n = 72 */
void long_stencil(int n, double p[restrict n][n][n], double q[restrict n][n][n]) {
    for (int i = 3; i < n - 3; i++)
        for (int j = 3; j < n - 3; j++)
            for (int k = 3; k < n - 3; k++)
                q[i][j][k] = 0.7 * p[i][j][k] + 0.15 * (p[i - 1][j][k] + p[i + 1][j][k]) + 0.02 * (p[i - 2][j][k] + p[i + 2][j][k])
                             + 0.01 * (p[i - 3][j][k] + p[i + 3][j][k]);
}

/* n = 420 */
void doubled_sums(int n, double A[n][n], double r[n], double c[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            r[i] += A[i][j];
            c[j] += A[i][j];
        }
}

/* n = 260 */
void covariances(int n, double x[n][n], double w[n], double C[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += w[k] * x[k][i] * x[k][j];
}
