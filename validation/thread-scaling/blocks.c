// Ten code blocks with OpenMP, each a marked region: from memory-bound to compute-bound.
// Every block runs often enough to take some ten milliseconds with one thread; data are touched by the threads that use them.
#include "blocks.h"

#include <math.h>

enum {
    LONG = 1 << 23,                // elements of a vector that fits no cache of one core
    SHORT = 1 << 15,               // elements of a vector that stays in the caches near the cores
    GRID2 = 2048,                  // side of the two-dimensional grid
    GRID3 = 192,                   // side of the three-dimensional grid
    ORDER = 10, ELEMENTS = 4096,   // spectral elements of ORDER^3 points
    ROWS = 1 << 18, PER_ROW = 16,  // the sparse matrix
    BODIES = 2048,
    SIDE = 384                     // of the dense matrices
};

static double *a, *b, *c, *near_a, *near_b, *flat_in, *flat_out, *box_in, *box_out, *field, *gradient, *value, *vector, *image;
// not static: a compiler may leave out what nobody can see
double derivative[ORDER][ORDER], left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];
double px[BODIES], py[BODIES], pz[BODIES], fx[BODIES], fy[BODIES], fz[BODIES];
static int* column;
static volatile double sink;

KEEP void vector_update(void) {
    EACH for (int i = 0; i < LONG; ++i) a[i] = b[i] + 3.0 * c[i];
}

KEEP void near_update(void) {
    for (int repeat = 0; repeat < 200; ++repeat) {
        EACH for (int i = 0; i < SHORT; ++i) near_a[i] = near_a[i] * 0.999 + near_b[i];
    }
}

KEEP void dot_product(void) {
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < LONG; ++i) sum += a[i] * b[i];
    sink = sum;
}

KEEP void flat_stencil(void) {
    EACH for (int i = 1; i < GRID2 - 1; ++i)
        for (int j = 1; j < GRID2 - 1; ++j)
            flat_out[i * GRID2 + j] = 0.25 * (flat_in[(i - 1) * GRID2 + j] + flat_in[(i + 1) * GRID2 + j] +
                                              flat_in[i * GRID2 + j - 1] + flat_in[i * GRID2 + j + 1]);
}

KEEP void box_stencil(void) {
    const int row = GRID3, plane = GRID3 * GRID3;
    EACH for (int k = 1; k < GRID3 - 1; ++k)
        for (int j = 1; j < GRID3 - 1; ++j)
            for (int i = 1; i < GRID3 - 1; ++i) {
                const int p = k * plane + j * row + i;
                box_out[p] = 0.4 * box_in[p] + 0.1 * (box_in[p - 1] + box_in[p + 1] + box_in[p - row] + box_in[p + row] +
                                                      box_in[p - plane] + box_in[p + plane]);
            }
}

KEEP void small_matrix_gradient(void) {
    EACH for (int e = 0; e < ELEMENTS; ++e) {
        const double* u = field + (long)e * ORDER * ORDER * ORDER;
        double* g = gradient + (long)e * ORDER * ORDER * ORDER;
        for (int k = 0; k < ORDER * ORDER; ++k)
            for (int i = 0; i < ORDER; ++i) {
                double sum = 0;
                for (int l = 0; l < ORDER; ++l) sum += derivative[i][l] * u[k * ORDER + l];
                g[k * ORDER + i] = sum;
            }
    }
}

KEEP void sparse_product(void) {
    EACH for (int r = 0; r < ROWS; ++r) {
        double sum = 0;
        for (int k = 0; k < PER_ROW; ++k) sum += value[r * PER_ROW + k] * vector[column[r * PER_ROW + k]];
        image[r] = sum;
    }
}

KEEP void particle_forces(void) {
    EACH for (int i = 0; i < BODIES; ++i) {
        double x = 0, y = 0, z = 0;
        for (int j = 0; j < BODIES; ++j) {
            const double dx = px[j] - px[i], dy = py[j] - py[i], dz = pz[j] - pz[i];
            const double r2 = dx * dx + dy * dy + dz * dz + 0.01, w = 1.0 / (r2 * sqrt(r2));
            x += w * dx, y += w * dy, z += w * dz;
        }
        fx[i] = x, fy[i] = y, fz[i] = z;
    }
}

KEEP void dense_product(void) {
    EACH for (int i = 0; i < SIDE; ++i) {
        for (int j = 0; j < SIDE; ++j) product[i][j] = 0;
        for (int k = 0; k < SIDE; ++k)
            for (int j = 0; j < SIDE; ++j) product[i][j] += left[i][k] * right[k][j];
    }
}

KEEP void polynomials(void) {
    EACH for (int i = 0; i < 256 * SHORT; ++i) {
        const double x = 1e-7 * i;
        double y = 1;
        for (int d = 0; d < 24; ++d) y = y * x + 0.5;
        a[i] = y;
    }
}

static void prepare(void) {
    a = filled(LONG), b = filled(LONG), c = filled(LONG), near_a = filled(SHORT), near_b = filled(SHORT);
    flat_in = filled(GRID2 * GRID2), flat_out = filled(GRID2 * GRID2);
    box_in = filled((long)GRID3 * GRID3 * GRID3), box_out = filled((long)GRID3 * GRID3 * GRID3);
    field = filled((long)ELEMENTS * ORDER * ORDER * ORDER), gradient = filled((long)ELEMENTS * ORDER * ORDER * ORDER);
    value = filled((long)ROWS * PER_ROW), vector = filled(ROWS), image = filled(ROWS);
    column = malloc(sizeof *column * ROWS * PER_ROW);
    if (!column) abort();
    EACH for (int k = 0; k < ROWS * PER_ROW; ++k) column[k] = (int)((k / PER_ROW + (k * 2654435761u >> 20)) % ROWS);
    for (int i = 0; i < ORDER * ORDER; ++i) derivative[i / ORDER][i % ORDER] = 0.1 * i;
    for (int i = 0; i < SIDE * SIDE; ++i) left[i / SIDE][i % SIDE] = right[i / SIDE][i % SIDE] = 1e-3 * i;
    for (int i = 0; i < BODIES; ++i) px[i] = i, py[i] = 0.5 * i, pz[i] = 1.0 / (i + 1);
}

static const struct block all[] = {
    BLOCK(vector_update), BLOCK(near_update), BLOCK(dot_product), BLOCK(flat_stencil),
    BLOCK(box_stencil), BLOCK(small_matrix_gradient), BLOCK(sparse_product), BLOCK(particle_forces),
    BLOCK(dense_product), BLOCK(polynomials),
    {0, 0},
};

int main(int argc, char** argv) {
    prepare();
    return run(all, argc, argv);
}
