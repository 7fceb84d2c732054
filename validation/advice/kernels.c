/* Loop nests whose changes are measured in pairs: fixed before anything of them was predicted. */

/* n = 1200 */
void plate(int n, double A[n][n], double B[n][n]) {
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++)
            B[i][j] = 0.5 * A[i][j] + 0.125 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
}

/* n = 1000 */
void nine(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            B[i][j] = 0.2 * (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1]
                             + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]);
}

/* n = 900 */
void advect(int n, double u[n][n], double v[n][n], double q[n][n], double r[n][n]) {
    for (int i = 1; i < n; i++) {
        for (int j = 1; j < n; j++) {
            r[i][j] = q[i][j] - 0.1 * u[i][j] * (q[i][j] - q[i - 1][j]);
            r[i][j] -= 0.1 * v[i][j] * (q[i][j] - q[i][j - 1]);
        }
    }
}

/* n = 120 */
void gradient3(int n, double f[n][n][n], double x[n][n][n], double y[n][n][n]) {
    for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++) {
                x[i][j][k] = 0.5 * (f[i + 1][j][k] - f[i - 1][j][k]);
                y[i][j][k] = 0.5 * (f[i][j + 1][k] - f[i][j - 1][k]);
            }
}

/* n = 150 */
void divergence(int n, double u[restrict n][n][n], double v[restrict n][n][n], double w[restrict n][n][n], double d[restrict n][n][n]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            for (int k = 1; k < n; k++)
                d[i][j][k] = u[i][j][k] - u[i - 1][j][k] + v[i][j][k] - v[i][j - 1][k] + w[i][j][k] - w[i][j][k - 1];
}

/* n = 1500 */
void outer(int n, double A[n][n], double x[n], double y[n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            A[i][j] += x[i] * y[j];
}

/* n = 420 */
void gram(int n, double A[n][n], double B[n][n], double C[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += A[i][k] * B[j][k];
            C[i][j] = s;
        }
}

/* n = 400 */
void transposed(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[k][i] * B[k][j];
}

/* n = 100 */
void mttkrp(int n, double T[n][n][n], double B[n][n], double C[n][n], double M[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    M[i][j] += T[i][k][l] * B[k][j] * C[l][j];
}

/* n = 90 */
void modeproduct(int n, double X[restrict n][n][n], double U[restrict n][n], double Y[restrict n][n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    Y[i][j][l] += X[i][k][l] * U[j][k];
}

/* n = 1100 */
void rowscale(int n, double A[n][n], double d[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = A[i][j] / d[i];
}

/* n = 1100 */
void colscale(int n, double A[restrict n][n], double d[restrict n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            A[i][j] = A[i][j] / d[j];
}

/* n = 1300 */
void shares(int n, double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++)
            s += A[i][j];
        for (int j = 0; j < n; j++)
            B[i][j] = A[i][j] / s;
    }
}

/* n = 900 */
void centre(int n, double A[n][n], double m[n]) {
    for (int j = 0; j < n; j++) {
        m[j] = 0;
        for (int i = 0; i < n; i++)
            m[j] += A[i][j];
        m[j] = m[j] / 900.0;
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            A[i][j] -= m[j];
}

/* n = 1400 */
void moments(int n, double A[n][n], double s[n], double q[n]) {
    for (int i = 0; i < n; i++) {
        s[i] = 0;
        q[i] = 0;
        for (int j = 0; j < n; j++) {
            s[i] += A[i][j];
            q[i] += A[i][j] * A[i][j];
        }
    }
}

/* n = 1200000 */
void passes(int n, double x[restrict n], double y[restrict n], double z[restrict n]) {
    for (int i = 0; i < n; i++)
        y[i] = 1.5 * x[i] + y[i];
    for (int i = 0; i < n; i++)
        z[i] = y[i] * x[i];
    for (int i = 0; i < n; i++)
        x[i] = z[i] - 0.5 * y[i];
}

/* n = 60000 */
void horner(int n, double x[n], double c[n], double p[n]) {
    for (int i = 0; i < n; i++) {
        p[i] = 0;
        for (int k = 0; k < 24; k++)
            p[i] = p[i] * x[i] + c[k];
    }
}

/* n = 200000 */
void fir(int n, double x[n], double h[n], double y[n]) {
    for (int i = 0; i < n - 32; i++)
        for (int k = 0; k < 32; k++)
            y[i] += h[k] * x[i + k];
}

/* n = 30000 */
void lags(int n, double x[n], double r[n]) {
    for (int l = 0; l < 128; l++) {
        double s = 0;
        for (int i = 0; i < n - 128; i++)
            s += x[i] * x[i + l];
        r[l] = s;
    }
}

/* n = 1200 */
void scanrows(int n, double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            B[i][j] = B[i][j - 1] * 0.5 + A[i][j];
}

/* n = 1200 */
void scancolumns(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++)
            B[i][j] = B[i - 1][j] * 0.5 + A[i][j];
}

/* n = 1600 */
void lowermatvec(int n, double L[n][n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            y[i] += L[i][j] * x[j];
}

/* n = 400 */
void upperproduct(int n, double U[n][n], double B[n][n], double C[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = i; k < n; k++)
                C[i][j] += U[i][k] * B[k][j];
}

/* n = 1300 */
void symmetric(int n, double A[restrict n][n], double x[restrict n], double y[restrict n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            y[i] += A[i][j] * x[j];
            y[j] += A[i][j] * x[i];
        }
}

/* n = 120000 */
void band(int n, double A[n][16], double x[n], double y[n]) {
    for (int i = 0; i < n - 16; i++)
        for (int k = 0; k < 16; k++)
            y[i] += A[i][k] * x[i + k];
}

/* n = 1000 */
void sor(int n, double A[n][n], double b[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            A[i][j] = 0.4 * A[i][j] + 0.15 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1] - b[i][j]);
}

/* n = 1800 */
void symmetrise(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = 0.5 * (A[i][j] + A[j][i]);
}

/* n = 130 */
void rotate3(int n, double A[restrict n][n][n], double B[restrict n][n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                B[k][i][j] = A[i][j][k];
}

/* n = 2500 */
void forces(int n, double x[n], double y[n], double m[n], double f[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            f[i] += m[j] * (x[j] - x[i]) / ((x[j] - x[i]) * (x[j] - x[i]) + (y[j] - y[i]) * (y[j] - y[i]) + 0.01);
}

/* n = 350 */
void minplus(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] = A[i][k] + B[k][j] < C[i][j] ? A[i][k] + B[k][j] : C[i][j];
}

/* n = 1600 */
void halved(int n, double A[n][n], double B[n][n]) {
    for (int j = 0; j < n / 2; j++)
        for (int i = 0; i < n / 2; i++)
            B[i][j] = 0.25 * (A[2 * i][2 * j] + A[2 * i + 1][2 * j] + A[2 * i][2 * j + 1] + A[2 * i + 1][2 * j + 1]);
}

/* n = 700 */
void filter5(int n, double A[n][n], double K[8][8], double B[n][n]) {
    for (int i = 0; i < n - 5; i++)
        for (int j = 0; j < n - 5; j++)
            for (int p = 0; p < 5; p++)
                for (int q = 0; q < 5; q++)
                    B[i][j] += K[p][q] * A[i + p][j + q];
}

/* n = 1200 */
void jacobistep(int n, double A[n][n], double b[n], double x[n], double w[n]) {
    for (int i = 0; i < n; i++) {
        double s = b[i];
        for (int j = 0; j < n; j++)
            s += A[i][j] * x[j];
        w[i] = s / A[i][i];
    }
    for (int i = 0; i < n; i++)
        x[i] = w[i];
}

/* n = 1000 */
void vandermonde(int n, double V[n][n], double x[n]) {
    for (int j = 1; j < n; j++)
        for (int i = 0; i < n; i++)
            V[i][j] = V[i][j - 1] * x[i];
}

/* n = 1000 */
void rank2(int n, double A[n][n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            A[i][j] += x[i] * y[j] + y[i] * x[j];
}

/* n = 1400 */
void spread(int n, double D[n][n], double x[n], double y[n], double z[n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            D[i][j] = (x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]) + (z[i] - z[j]) * (z[i] - z[j]);
}

/* n = 1100 */
void smoothed(int n, double A[n][n], double B[n][n], double C[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            B[i][j] = 0.25 * (A[i][j - 1] + 2 * A[i][j] + A[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            C[i][j] = B[i][j] * B[i][j] + 0.5 * A[i][j];
}

/* n = 1000 */
void energies(int n, double A[n][n], double B[n][n], double e[n], double g[n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            e[j] += A[i][j] * A[i][j];
            g[j] += A[i][j] * B[i][j];
        }
}

/* n = 180 */
void interpolate(int n, double A[n][n][n], double c[n], double B[n][n][n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n - 1; k++)
            for (int j = 0; j < n; j++)
                B[i][j][k] = A[i][j][k] + c[j] * (A[i][j][k + 1] - A[i][j][k]);
}

/* n = 1000 */
void ratios(int n, double A[n][n], double B[n][n], double d[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = A[i][j] / d[i];
            B[i][j] = B[i][j] / d[i] + A[i][j];
        }
}

/* n = 700 */
void flatplate(int n, double a[n * n], double b[n * n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
}

/* n = 300 */
void flatproduct(int n, double a[n * n], double b[n * n], double c[n * n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* n = 64 */
void smallproduct(int n, double A[n][n], double B[n][n], double C[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i][j] = 0;
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
}

/* n = 2000 */
void distances(int n, double x[n], double y[n], double z[n], double d[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
            d[i] += dx * dx + dy * dy + dz * dz;
        }
}

/* n = 1600 */
void columnsums(int n, double A[n][n], double s[n]) {
    for (int j = 0; j < n; j++) {
        s[j] = 0;
        for (int i = 0; i < n; i++)
            s[j] += A[i][j];
    }
}

/* n = 900 */
void standardise(int n, double A[n][n], double m[n], double d[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = (A[i][j] - m[j]) / d[j];
}
