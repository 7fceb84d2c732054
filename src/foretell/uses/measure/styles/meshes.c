/* Grids, matrices and particles as codes of science write them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Red and black points in turn, with over-relaxation. */
void red_black(int n, double u[][n], double f[][n], double omega) {
    for (int colour = 0; colour < 2; colour++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i + colour) % 2; j < n - 1; j += 2)
                u[i][j] += omega * (0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]) - u[i][j]);
}

#define AT(a, i, j) a[(j) * (nx + 1) + (i)]

/* Nodes of a staggered grid accelerated by the pressure of the cells around. */
void accelerate_nodes(int nx, int ny, double dt, const double* area, const double* rho, const double* p,
                      const double* q, double* u, double* v) {
    for (int j = 1; j < ny; j++)
        for (int i = 1; i < nx; i++) {
            double mass =
                0.25 * (AT(rho, i - 1, j - 1) * AT(area, i - 1, j - 1) + AT(rho, i, j - 1) * AT(area, i, j - 1) +
                        AT(rho, i, j) * AT(area, i, j) + AT(rho, i - 1, j) * AT(area, i - 1, j));
            double step = 0.5 * dt / mass;
            AT(u, i, j) -= step * (AT(p, i, j) - AT(p, i - 1, j) + AT(p, i, j - 1) - AT(p, i - 1, j - 1) + AT(q, i, j) -
                                   AT(q, i - 1, j));
            AT(v, i, j) -= step * (AT(p, i, j) - AT(p, i, j - 1) + AT(p, i - 1, j) - AT(p, i - 1, j - 1) + AT(q, i, j) -
                                   AT(q, i, j - 1));
        }
}

typedef struct {
    int n;
    float *ex, *ey, *ez, *hx, *hy, *hz;
} fields;

/* Electric fields from curls of magnetic ones. */
void curl_step(const fields* f, float c) {
    const int n = f->n, s = n * n;
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            for (int k = 1; k < n; k++) {
                const int at = i * s + j * n + k;
                f->ex[at] += c * (f->hz[at] - f->hz[at - n] - f->hy[at] + f->hy[at - 1]);
                f->ey[at] += c * (f->hx[at] - f->hx[at - 1] - f->hz[at] + f->hz[at - s]);
                f->ez[at] += c * (f->hy[at] - f->hy[at - s] - f->hx[at] + f->hx[at - n]);
            }
}

/* One sweep of rotations of a symmetric matrix. */
void rotate_sweep(int n, const double* from, double* a) {
    memcpy(a, from, n * n * sizeof *a);
    for (int p = 0; p < n - 1; p++)
        for (int q = p + 1; q < n; q++) {
            double theta = 0.5 * (a[q * n + q] - a[p * n + p]) / a[p * n + q];
            double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1),
                   s = t * c;
            for (int k = 0; k < n; k++) {
                double x = a[p * n + k], y = a[q * n + k];
                a[p * n + k] = c * x - s * y;
                a[q * n + k] = s * x + c * y;
            }
            for (int k = 0; k < n; k++) {
                double x = a[k * n + p], y = a[k * n + q];
                a[k * n + p] = c * x - s * y;
                a[k * n + q] = s * x + c * y;
            }
        }
}

/* Columns made orthogonal by reflections, as LAPACK's unblocked routine does. */
void reflect_columns(int m, int n, const double* from, double* a, double* tau) {
    memcpy(a, from, m * n * sizeof *a);
    for (int k = 0; k < n; k++) {
        double *v = a + k * m, norm = 0;
        for (int i = k + 1; i < m; i++) norm += v[i] * v[i];
        double beta = -copysign(sqrt(v[k] * v[k] + norm), v[k]);
        tau[k] = (beta - v[k]) / beta;
        double scale = 1 / (v[k] - beta);
        for (int i = k + 1; i < m; i++) v[i] *= scale;
        v[k] = beta;
        for (int j = k + 1; j < n; j++) {
            double *x = a + j * m, sum = x[k];
            for (int i = k + 1; i < m; i++) sum += v[i] * x[i];
            sum *= tau[k];
            x[k] -= sum;
            for (int i = k + 1; i < m; i++) x[i] -= sum * v[i];
        }
    }
}

/* A sparse matrix by columns from one by rows. */
void transpose_rows(int n, int m, const int* start, const int* column, const double* value, int* to, int* row,
                    double* out) {
    for (int j = 0; j <= m; j++) to[j] = 0;
    for (int k = 0; k < start[n]; k++) to[column[k] + 1]++;
    for (int j = 0; j < m; j++) to[j + 1] += to[j];
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            int at = to[column[k]]++;
            row[at] = i;
            out[at] = value[k];
        }
    for (int j = m; j > 0; j--) to[j] = to[j - 1];
    to[0] = 0;
}

/* A product with a matrix by coordinates. */
void multiply_triples(int count, const int* row, const int* column, const double* value, const double* x, double* y) {
    for (int k = 0; k < count; k++) y[row[k]] += value[k] * x[column[k]];
}

/* A product with blocks of three by three. */
void multiply_blocks(int n, const int* start, const int* column, const double* value, const double* x, double* y) {
    for (int i = 0; i < n; i++) {
        double a = 0, b = 0, c = 0;
        for (int k = start[i]; k < start[i + 1]; k++) {
            const double *v = value + 9 * k, *u = x + 3 * column[k];
            a += v[0] * u[0] + v[1] * u[1] + v[2] * u[2];
            b += v[3] * u[0] + v[4] * u[1] + v[5] * u[2];
            c += v[6] * u[0] + v[7] * u[1] + v[8] * u[2];
        }
        y[3 * i] = a;
        y[3 * i + 1] = b;
        y[3 * i + 2] = c;
    }
}

/* Energies of pairs with the long range taken out. */
double screened_pairs(int n, const double* r, const double* q, double alpha) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += q[i] * erfc(alpha * r[i]) / r[i];
    return sum;
}

/* Many small systems of three equations, four stages each. */
void lorenz_steps(int n, double dt, double (*s)[3]) {
    for (int i = 0; i < n; i++) {
        double x = s[i][0], y = s[i][1], z = s[i][2], kx = 0, ky = 0, kz = 0, dx = 0, dy = 0, dz = 0;
        static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
        for (int stage = 0; stage < 4; stage++) {
            double a = x + at[stage] * dt * kx, b = y + at[stage] * dt * ky, c = z + at[stage] * dt * kz;
            kx = 10 * (b - a);
            ky = a * (28 - c) - b;
            kz = a * b - 8. / 3 * c;
            dx += weight[stage] * kx;
            dy += weight[stage] * ky;
            dz += weight[stage] * kz;
        }
        s[i][0] = x + dt * dx;
        s[i][1] = y + dt * dy;
        s[i][2] = z + dt * dz;
    }
}

/* A curve of cubic pieces at many points. */
void spline_values(int n, int knots, const double* t, const double (*c)[4], const double* x, double* out) {
    for (int i = 0; i < n; i++) {
        int low = 0, high = knots - 1;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (t[middle] <= x[i]) low = middle;
            else high = middle;
        }
        double h = x[i] - t[low];
        out[i] = c[low][0] + h * (c[low][1] + h * (c[low][2] + h * c[low][3]));
    }
}

struct cell {
    float x, y, z, mass, size;
    int skip;
};

/* Gravity by a tree in the order of its nodes: what is far away is taken as one. */
void tree_gravity(int n, int nodes, const struct cell* tree, const float (*at)[3], float (*force)[3], float open) {
    for (int i = 0; i < n; i++) {
        float fx = 0, fy = 0, fz = 0;
        for (int k = 0; k < nodes;) {
            const struct cell* c = &tree[k];
            float dx = c->x - at[i][0], dy = c->y - at[i][1], dz = c->z - at[i][2],
                  d2 = dx * dx + dy * dy + dz * dz + 1e-4f;
            if (c->size * c->size < open * d2) {
                float g = c->mass / (d2 * sqrtf(d2));
                fx += g * dx;
                fy += g * dy;
                fz += g * dz;
                k = c->skip;
            } else k++;
        }
        force[i][0] = fx;
        force[i][1] = fy;
        force[i][2] = fz;
    }
}

/* One tridiagonal system. */
void thomas_single(int n, const double* a, const double* b, const double* c, const double* d, double* x, double* g) {
    double beta = b[0];
    x[0] = d[0] / beta;
    for (int i = 1; i < n; i++) {
        g[i] = c[i - 1] / beta;
        beta = b[i] - a[i] * g[i];
        x[i] = (d[i] - a[i] * x[i - 1]) / beta;
    }
    for (int i = n - 2; i >= 0; i--) x[i] -= g[i + 1] * x[i + 1];
}

/* Pairs nearer than a cut, listed. */
int list_neighbours(int n, const float* x, const float* y, const float* z, float cut2, int* list, int* end) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            float dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
            if (dx * dx + dy * dy + dz * dz < cut2) list[count++] = j;
        }
        end[i] = count;
    }
    return count;
}
