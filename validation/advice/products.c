/* Loop nests whose changes are measured in pairs: fixed before anything of them was predicted. */

/* n = 500 */
void syrk(int n, double A[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += A[i][k] * A[j][k];
}

/* n = 300 */
void trmm(int n, double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = i + 1; k < n; k++)
                B[i][j] += A[k][i] * B[k][j];
}

/* n = 1400 */
void bicg(int n, double A[n][n], double s[n], double q[n], double p[n], double r[n]) {
    for (int i = 0; i < n; i++) {
        q[i] = 0;
        for (int j = 0; j < n; j++) {
            s[j] += r[i] * A[i][j];
            q[i] += A[i][j] * p[j];
        }
    }
}

/* n = 1300 */
void mvt(int n, double A[n][n], double x[n], double y[n], double u[n], double v[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] += A[i][j] * u[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] += A[j][i] * v[j];
}

/* n = 1000 */
void gemver(int n, double A[n][n], double u[n], double v[n], double p[n], double q[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = A[i][j] + u[i] * v[j] + p[i] * q[j];
}

/* n = 800 */
void fdtd(int n, double E[restrict n][n], double H[restrict n][n], double F[restrict n][n]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            E[i][j] -= 0.5 * (H[i][j] - H[i - 1][j]);
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            F[i][j] -= 0.5 * (H[i][j] - H[i][j - 1]);
}

/* n = 110 */
void heat3(int n, double A[n][n][n], double B[n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k])
                    + 0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k])
                    + 0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
}

/* n = 120 */
void plane3(int n, double A[restrict n][n][n], double B[restrict n][n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                B[i][j][k] = 0.25 * (A[i - 1][j][k] + A[i + 1][j][k] + A[i][j - 1][k] + A[i][j + 1][k]);
}

/* n = 600 */
void floyd(int n, double D[n][n], double P[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            D[i][j] = D[i][j] < P[i] + P[j] ? D[i][j] : P[i] + P[j];
}

/* n = 3000 */
void binomial(int n, double v[n], double w[n]) {
    for (int t = 0; t < 200; t++)
        for (int i = 0; i < n - 1; i++)
            w[i] = 0.51 * v[i + 1] + 0.48 * w[i];
}

/* n = 4000 */
void polynomials(int n, double x[n], double y[n], double c[12]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < 12; k++)
            s = s * x[i] + c[k];
        y[i] = s;
    }
}

/* n = 20000 */
void clamp(int n, double x[n], double y[n]) {
    for (int r = 0; r < 20; r++)
        for (int i = 0; i < n; i++)
            y[i] = x[i] < 0.6 ? 0.6 : x[i] > 1.2 ? 1.2 : x[i];
}

/* n = 30000 */
void normalise3(int n, double p[n][3], double q[n]) {
    for (int i = 0; i < n; i++)
        q[i] = p[i][0] * p[i][0] + p[i][1] * p[i][1] + p[i][2] * p[i][2];
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            p[i][c] = p[i][c] / q[i];
}

/* n = 1100 */
void choleskystep(int n, double A[n][n], double l[n]) {
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            A[i][j] -= l[i] * l[j];
}

/* n = 900 */
void backsubstitute(int n, double U[n][n], double x[n], double b[n]) {
    for (int j = n - 1; j >= 0; j--) {
        x[j] = b[j] / U[j][j];
        for (int i = 0; i < j; i++)
            b[i] -= U[i][j] * x[j];
    }
}

/* n = 1000 */
void stridedcopy(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < n / 2; j++)
            B[i][j] = 0.25 * (A[2 * i][2 * j] + A[2 * i + 1][2 * j] + A[2 * i][2 * j + 1] + A[2 * i + 1][2 * j + 1]);
}

/* n = 260 */
void contraction(int n, double A[n][n], double B[n][n], double C[n][n], double T[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            T[i][j] = 0;
            for (int k = 0; k < n; k++)
                T[i][j] += A[i][k] * B[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i][j] = 0;
            for (int k = 0; k < n; k++)
                C[i][j] += T[i][k] * B[j][k];
        }
}

/* n = 60 */
void fourindex(int n, double A[n][n][n][8], double C[n][8], double B[n][n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                double s = 0;
                for (int l = 0; l < 8; l++)
                    s += A[i][j][k][l] * C[k][l];
                B[i][j][k] = s;
            }
}

/* n = 1000 */
void pooled(int n, double A[n][n], double B[n][n]) {
    for (int i = 0; i < n / 4; i++)
        for (int j = 0; j < n / 4; j++) {
            B[i][j] = 0;
            for (int p = 0; p < 4; p++)
                for (int q = 0; q < 4; q++)
                    B[i][j] += A[4 * i + p][4 * j + q];
        }
}

/* n = 500 */
void convolve3(int n, double A[n][n], double W[3][3], double B[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            double s = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    s += W[p][q] * A[i + p - 1][j + q - 1];
            B[i][j] = s;
        }
}

/* n = 800 */
void softmaxrow(int n, double A[n][n], double m[n]) {
    for (int i = 0; i < n; i++) {
        m[i] = A[i][0];
        for (int j = 1; j < n; j++)
            m[i] = A[i][j] > m[i] ? A[i][j] : m[i];
        for (int j = 0; j < n; j++)
            A[i][j] = A[i][j] - m[i];
    }
}

/* n = 700 */
void layernorm(int n, double A[n][n], double g[n], double b[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0, q = 0;
        for (int j = 0; j < n; j++)
            s += A[i][j];
        for (int j = 0; j < n; j++)
            q += A[i][j] * A[i][j];
        for (int j = 0; j < n; j++)
            A[i][j] = (A[i][j] - s / n) / (q + 1.0) * g[j] + b[j];
    }
}

/* n = 300 */
void attention(int n, double Q[n][32], double K[n][32], double S[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            S[i][j] = 0;
            for (int d = 0; d < 32; d++)
                S[i][j] += Q[i][d] * K[j][d];
        }
}

/* n = 100000 */
void triad(int n, double a[n], double b[n], double c[n], double d[n]) {
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 0.5 * c[i];
    for (int i = 0; i < n; i++)
        d[i] = a[i] * c[i];
}

/* n = 60000 */
void evenodd(int n, double x[2 * n], double e[n], double o[n]) {
    for (int i = 0; i < n; i++) {
        e[i] = x[2 * i] + x[2 * i + 1];
        o[i] = x[2 * i] - x[2 * i + 1];
    }
}

/* n = 50000 */
void limiter(int n, double u[n], double f[n], double g[n]) {
    for (int i = 1; i < n - 1; i++)
        f[i] = (u[i] - u[i - 1]) / (u[i + 1] - u[i] + 1e-3);
    for (int i = 1; i < n - 2; i++)
        g[i] = 0.5 * (f[i] + f[i + 1]) * (u[i + 1] - u[i]);
}

/* n = 256 */
void powerrows(int n, double A[n][n], double B[n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            B[j][i] = 1.5 * A[i][j];
}

/* n = 512 */
void powertranspose(int n, double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[j][i] += A[i][j];
}

/* n = 400 */
void wavefront(int n, double A[n][n], double B[n][n]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            A[i][j] = 0.3 * A[i - 1][j] + 0.3 * A[i][j - 1] + 0.3 * A[i - 1][j - 1] + B[i][j];
}

/* n = 700 */
void sweeps(int n, double A[n][n], double b[n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++)
            A[i][j] = b[i][j] - 0.4 * A[i - 1][j];
}

/* n = 160 */
void tensorscale(int n, double T[restrict n][n][n], double a[restrict n], double b[restrict n], double c[restrict n]) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                T[i][j][k] *= a[i] * b[j] * c[k];
}

/* n = 350 */
void complexproduct(int n, double Ar[n][n], double Ai[n][n], double Br[n][n], double Bi[n][n], double C[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += Ar[i][k] * Br[k][j] - Ai[i][k] * Bi[k][j];
}

/* n = 1200 */
void covariancestep(int n, double X[n][n], double m[n], double c[n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            c[j] += (X[i][j] - m[j]) * (X[i][0] - m[0]);
}

/* n = 150 */
void reduce3(int n, double A[n][n][n], double s[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                s[k] += A[i][j][k];
}
