/* Small kernels in the styles of public mini-applications, all of whose changes are predicted and measured: sweeps of
   grids, finite elements, particles, sparse products, of several layouts and of sizes from L1 to memory. They and their
   halves were fixed before anything of them was predicted. */

/* n = 40
   data: double p[n*n], q[n*n], kx[n*n], ky[n*n]
   call: heat_operator(n, p, q, kx, ky) */
void heat_operator(int n, double *p, double *q, double *kx, double *ky) {
    for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++)
            q[k * n + j] = (1.0 + (kx[k * n + j + 1] + kx[k * n + j]) + (ky[(k + 1) * n + j] + ky[k * n + j])) * p[k * n + j]
                - (kx[k * n + j + 1] * p[k * n + j + 1] + kx[k * n + j] * p[k * n + j - 1])
                - (ky[(k + 1) * n + j] * p[(k + 1) * n + j] + ky[k * n + j] * p[(k - 1) * n + j]);
}

/* n = 600
   data: double p[n*n], w[n*n], r[n*n], u[n*n], out[1]
   call: conjugate_step(n, p, w, r, u, out) */
void conjugate_step(int n, double *p, double *w, double *r, double *u, double *out) {
    double rrn = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            u[i * n + j] += 0.001 * p[i * n + j];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            r[i * n + j] -= 0.001 * w[i * n + j];
            rrn += r[i * n + j] * r[i * n + j];
        }
    out[0] = rrn;
}

/* n = 20000
   data: double val[n*8], x[n], y[n]; int cols[n*8]
   call: csr_rows(n, val, cols, x, y) */
void csr_rows(int n, const double *val, const int *cols, const double *x, double *y) {
    for (int row = 0; row < n; row++) {
        double sum = 0.0;
        for (int k = 8 * row; k < 8 * row + 8; k++)
            sum += val[k] * x[cols[k]];
        y[row] = sum;
    }
}

/* n = 3000
   data: double coords[n*24], out[n*8]
   call: hex_volumes(n, coords, out) */
void hex_volumes(int n, const double *coords, double *out) {
    for (int corner = 0; corner < 8; corner++)
        for (int e = 0; e < n; e++) {
            const double *x = coords + e * 24;
            out[e * 8 + corner] = x[corner] * (x[8 + (corner + 1) % 8] * x[16 + (corner + 3) % 8]
                - x[8 + (corner + 3) % 8] * x[16 + (corner + 1) % 8]);
        }
}

/* n = 50000
   data: double force[n], mass[n], acc[n], vel[n], pos[n]
   call: node_motion(n, force, mass, acc, vel, pos) */
void node_motion(int n, double *force, double *mass, double *acc, double *vel, double *pos) {
    for (int i = 0; i < n; i++)
        acc[i] = force[i] / mass[i];
    for (int i = 0; i < n; i++)
        vel[i] += acc[i] * 1e-6;
    for (int i = 0; i < n; i++)
        pos[i] += vel[i] * 1e-6;
}

/* n = 20000
   data: double e_old[n], delvc[n], p_old[n], q_old[n], e_new[n]
   call: energy_terms(n, e_old, delvc, p_old, q_old, e_new) */
void energy_terms(int n, double *e_old, double *delvc, double *p_old, double *q_old, double *e_new) {
    for (int i = 0; i < n; i++) {
        e_new[i] = e_old[i] - 0.5 * delvc[i] * (p_old[i] + q_old[i]);
        if (e_new[i] < 0.1)
            e_new[i] = 0.1;
    }
}

/* n = 600
   data: struct atom a[n]
   call: lj_pairs(n, a) */
struct atom { double x, y, z, fx, fy, fz, e, m; };
void lj_pairs(int n, struct atom *a) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double dx = a[i].x - a[j].x, dy = a[i].y - a[j].y, dz = a[i].z - a[j].z;
            double ir2 = 1.0 / (dx * dx + dy * dy + dz * dz + 1.0);
            double r6 = ir2 * ir2 * ir2;
            a[i].e += 2.0 * r6 * (r6 - 1.0);
            a[i].fx += ir2 * r6 * (2.0 * r6 - 1.0) * dx;
            a[i].fy += ir2 * r6 * (2.0 * r6 - 1.0) * dy;
            a[i].fz += ir2 * r6 * (2.0 * r6 - 1.0) * dz;
        }
}

/* n = 150000
   data: struct particle p[n]
   call: advance_velocity(n, p) */
struct particle { double x, y, z, vx, vy, vz, fx, fy, fz, mass; };
void advance_velocity(int n, struct particle *p) {
    for (int i = 0; i < n; i++) {
        p[i].vx += 1e-3 * p[i].fx;
        p[i].vy += 1e-3 * p[i].fy;
        p[i].vz += 1e-3 * p[i].fz;
    }
}

/* n = 400000
   data: struct particle2 p[n]; double out[1]
   call: kinetic_energy(n, p, out) */
struct particle2 { double vx, vy, vz, mass, x, y, z, kind; };
void kinetic_energy(int n, const struct particle2 *p, double *out) {
    double e = 0.0;
    for (int i = 0; i < n; i++)
        e += 0.5 * p[i].mass * (p[i].vx * p[i].vx + p[i].vy * p[i].vy + p[i].vz * p[i].vz);
    out[0] = e;
}

/* n = 64
   data: double u[n*n*n], r[n*n*n], v[n*n*n]
   call: grid_residual(n, u, v, r) */
void grid_residual(int n, const double *u, const double *v, double *r) {
    for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++)
                r[(k * n + j) * n + i] = v[(k * n + j) * n + i] + 0.6 * u[(k * n + j) * n + i]
                    - 0.1 * (u[(k * n + j) * n + i - 1] + u[(k * n + j) * n + i + 1] + u[(k * n + j - 1) * n + i]
                        + u[(k * n + j + 1) * n + i] + u[((k - 1) * n + j) * n + i] + u[((k + 1) * n + j) * n + i]);
}

/* n = 160
   data: double fine[n*n*n], coarse[n*n*n]
   call: restriction(n, fine, coarse) */
void restriction(int n, const double *fine, double *coarse) {
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < n / 2; j++)
            for (int k = 0; k < n / 2; k++)
                coarse[(k * (n / 2) + j) * (n / 2) + i] = 0.25 * (fine[(2 * k * n + 2 * j) * n + 2 * i]
                    + fine[(2 * k * n + 2 * j) * n + 2 * i + 1] + fine[((2 * k + 1) * n + 2 * j) * n + 2 * i]
                    + fine[(2 * k * n + 2 * j + 1) * n + 2 * i]);
}

/* n = 48
   data: double lhs[n*n*n*5], rhs[n*n*n*5]
   call: line_solve(n, lhs, rhs) */
void line_solve(int n, double *lhs, double *rhs) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 1; i < n; i++)
                for (int m = 0; m < 5; m++)
                    rhs[((k * n + j) * n + i) * 5 + m] -=
                        0.1 * lhs[((k * n + j) * n + i) * 5 + m] * rhs[((k * n + j) * n + i - 1) * 5 + m];
}

/* n = 20000
   data: double block[n*25], x[n*5], y[n*5]
   call: block_diagonal(n, block, x, y) */
void block_diagonal(int n, const double *block, const double *x, double *y) {
    for (int c = 0; c < n; c++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                y[c * 5 + i] += block[c * 25 + j * 5 + i] * x[c * 5 + j];
}

/* n = 4000
   data: double shape[64], jac[n*64], out[n*64]
   call: element_stiffness(n, shape, jac, out) */
void element_stiffness(int n, const double *shape, const double *jac, double *out) {
    for (int e = 0; e < n; e++)
        for (int a = 0; a < 8; a++)
            for (int b = 0; b < 8; b++) {
                double sum = 0.0;
                for (int q = 0; q < 8; q++)
                    sum += shape[q * 8 + a] * jac[e * 64 + q * 8] * shape[q * 8 + b];
                out[e * 64 + a * 8 + b] = sum;
            }
}

/* n = 512
   data: double in[n*n], out[n*n]
   call: smooth_static(n, in, out) */
static double work[512][512];
void smooth_static(int n, const double *in, double *out) {
    for (int i = 0; i < 512; i++)
        for (int j = 0; j < 512; j++)
            work[i][j] = in[i * n + j];
    for (int j = 1; j < 511; j++)
        for (int i = 1; i < 511; i++)
            out[i * n + j] = 0.25 * (work[i - 1][j] + work[i + 1][j] + work[i][j - 1] + work[i][j + 1]);
}

/* n = 64
   data: double in[n*n], out[n*n]
   call: transpose_static(n, in, out) */
static double turned[64][64];
void transpose_static(int n, const double *in, double *out) {
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            turned[j][i] = in[i * n + j];
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            out[i * n + j] = turned[i][j] + 0.5 * in[j * n + i];
}

/* n = 200
   data: double phi[n*n*8], flux[n*n*8], q[n*n*8]
   call: discrete_ordinates(n, phi, flux, q) */
void discrete_ordinates(int n, double *phi, double *flux, double *q) {
    for (int a = 0; a < 8; a++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                phi[(i * n + j) * 8 + a] = (q[(i * n + j) * 8 + a] + 0.4 * phi[((i - 1) * n + j) * 8 + a]
                    + 0.3 * phi[(i * n + j - 1) * 8 + a]) / (2.0 + flux[(i * n + j) * 8 + a]);
}

/* n = 6000
   data: double grid[n], nu[n], out[n]; int bucket[n]
   call: cross_sections(n, grid, nu, bucket, out) */
void cross_sections(int n, const double *grid, const double *nu, const int *bucket, double *out) {
    for (int i = 0; i < n; i++) {
        int at = bucket[i];
        double f = (nu[i] - grid[at]) / (1.5 + grid[at]);
        out[i] = f * grid[at] + (1.0 - f) * nu[at];
    }
}

/* n = 220
   data: double density[n*n], energy[n*n], pressure[n*n], speed[n*n]
   call: ideal_gas(n, density, energy, pressure, speed) */
void ideal_gas(int n, double *density, double *energy, double *pressure, double *speed) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            double v = 1.0 / density[j * n + k];
            pressure[j * n + k] = 0.4 * density[j * n + k] * energy[j * n + k];
            speed[j * n + k] = v * v * (0.4 * energy[j * n + k] + pressure[j * n + k]);
        }
}

/* n = 900
   data: double vol[n*n], vel[n*n], d[n*n], flux[n*n]
   call: advect_rows(n, vol, vel, d, flux) */
void advect_rows(int n, const double *vol, const double *vel, const double *d, double *flux) {
    for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++) {
            int up = vel[k * n + j] > 1.0 ? k * n + j - 1 : k * n + j;
            flux[k * n + j] = vel[k * n + j] * d[up] / vol[k * n + j];
        }
}

/* n = 24
   data: double a[n*n*n], b[n*n*n], s[n*n*n]
   call: small_boxes(n, a, b, s) */
void small_boxes(int n, double *a, double *b, double *s) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                s[k * n * n + j * n + i] = a[k * n * n + j * n + i] * b[k * n * n + j * n + i]
                    + a[k * n * n + j * n + i + 1] * b[(k - 1) * n * n + j * n + i];
}

/* n = 1000
   data: double mat[n*n], v[n], w[n]
   call: power_step(n, mat, v, w) */
void power_step(int n, double *mat, double *v, double *w) {
    for (int i = 0; i < n; i++) {
        w[i] = 0.0;
        for (int j = 0; j < n; j++)
            w[i] += mat[i * n + j] * v[j];
    }
    for (int i = 0; i < n; i++)
        w[i] = w[i] / 1000.0;
}

/* n = 90
   data: double a[n*n], l[n*n]
   call: cholesky_flat(n, a, l) */
void cholesky_flat(int n, const double *a, double *l) {
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double s = a[i * n + j];
            for (int k = 0; k < j; k++)
                s -= 0.001 * l[i * n + k] * l[j * n + k];
            l[i * n + j] = s;
        }
}

/* n = 1500
   data: double hx[n*n], hy[n*n], ez[n*n]
   call: yee_update(n, hx, hy, ez) */
void yee_update(int n, double *hx, double *hy, double *ez) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++) {
            hx[i * n + j] -= 0.001 * (ez[i * n + j + 1] - ez[i * n + j]);
            hy[i * n + j] += 0.001 * (ez[(i + 1) * n + j] - ez[i * n + j]);
        }
}
