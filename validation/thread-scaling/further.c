// Ten further code blocks, chosen and fixed before anything was predicted or measured of them: only reported, never tuned on.
#include "blocks.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    STRIDE = 4, STRIDED = 1 << 21,    // every fourth number of long vectors
    ORDER = 2048, TILE = 32,          // of the transposed matrix
    LINES = 2048, POINTS = 256,       // tridiagonal systems
    KEYS = 1 << 22, BINS = 4096,
    FLAT = 512, REACH = 4,            // a grid that fits a private cache, a star that reaches far
    CUBE = 128,                       // side of the grid with all 26 neighbours
    ROWS = 1 << 20, DIAGONALS = 9,
    VALUES = 1 << 20,
    SERIES = 4096, LENGTH = 512,
    TABLE = 1 << 22, LOOKUPS = 1 << 20
};

static double *out, *left, *right, *matrix, *turned, *lower, *upper, *middle, *result;
static double *flat_in, *flat_out, *cube_in, *cube_out, *band, *vector, *image, *argument, *value, *series, *sums, *table, *found;
static uint32_t* key;
static unsigned count[BINS];
static const int offset[DIAGONALS] = {-1024, -1023, -32, -1, 0, 1, 32, 1023, 1024};

KEEP void strided_triad(void) {
    EACH for (long i = 0; i < STRIDED; ++i) out[i * STRIDE] = left[i * STRIDE] + 0.5 * right[i * STRIDE];
}

KEEP void blocked_transpose(void) {
    EACH for (int bi = 0; bi < ORDER; bi += TILE)
        for (int bj = 0; bj < ORDER; bj += TILE)
            for (int i = bi; i < bi + TILE; ++i)
                for (int j = bj; j < bj + TILE; ++j) turned[(long)j * ORDER + i] = matrix[(long)i * ORDER + j];
}

KEEP void tridiagonal_lines(void) {
    EACH for (int line = 0; line < LINES; ++line) {
        const double *l = lower + (long)line * POINTS, *m = middle + (long)line * POINTS, *u = upper + (long)line * POINTS;
        double *x = result + (long)line * POINTS, factor[POINTS], last = 0, before = 0;
        for (int k = 0; k < POINTS; ++k) {
            const double pivot = 1 / (4 * m[k] - l[k] * before);
            before = factor[k] = u[k] * pivot;
            last = x[k] = (1 - l[k] * last) * pivot;
        }
        for (int k = POINTS - 2; k >= 0; --k) x[k] -= factor[k] * x[k + 1];
    }
}

KEEP void private_histogram(void) {
#pragma omp parallel
    {
        unsigned own[BINS];
        memset(own, 0, sizeof own);
#pragma omp for schedule(static)
        for (int i = 0; i < KEYS; ++i) ++own[key[i] % BINS];
#pragma omp critical
        for (int b = 0; b < BINS; ++b) count[b] += own[b];
    }
}

KEEP void far_star(void) {
    for (int repeat = 0; repeat < 20; ++repeat) {
        EACH for (int i = REACH; i < FLAT - REACH; ++i)
            for (int j = REACH; j < FLAT - REACH; ++j) {
                double sum = flat_in[i * FLAT + j];
                for (int k = 1; k <= REACH; ++k)
                    sum += 0.05 * (flat_in[(i - k) * FLAT + j] + flat_in[(i + k) * FLAT + j] + flat_in[i * FLAT + j - k] +
                                   flat_in[i * FLAT + j + k]);
                flat_out[i * FLAT + j] = sum;
            }
    }
}

KEEP void all_neighbours(void) {
    EACH for (int z = 1; z < CUBE - 1; ++z)
        for (int y = 1; y < CUBE - 1; ++y)
            for (int x = 1; x < CUBE - 1; ++x) {
                double sum = 0;
                for (int dz = -1; dz <= 1; ++dz)
                    for (int dy = -1; dy <= 1; ++dy)
                        for (int dx = -1; dx <= 1; ++dx) sum += cube_in[((z + dz) * CUBE + y + dy) * CUBE + x + dx];
                cube_out[(z * CUBE + y) * CUBE + x] = sum * (1.0 / 27);
            }
}

KEEP void diagonal_product(void) {
    EACH for (int r = 1024; r < ROWS - 1024; ++r) {
        double sum = 0;
        for (int d = 0; d < DIAGONALS; ++d) sum += band[(long)r * DIAGONALS + d] * vector[r + offset[d]];
        image[r] = sum;
    }
}

KEEP void exponentials(void) {
    EACH for (int i = 0; i < VALUES; ++i) value[i] = exp(-1e-6 * argument[i] * i);
}

KEEP void running_sums(void) {
    EACH for (int s = 0; s < SERIES; ++s) {
        double sum = 0;
        for (int k = 0; k < LENGTH; ++k) sums[(long)s * LENGTH + k] = sum += series[(long)s * LENGTH + k];
    }
}

KEEP void table_lookups(void) {
    EACH for (uint32_t i = 0; i < LOOKUPS; ++i) {
        uint32_t h = i * 2654435761u;
        h = (h ^ (h >> 15)) * 2246822519u;
        found[i] = table[(h ^ (h >> 13)) % TABLE];
    }
}

static void prepare(void) {
    out = filled((long)STRIDED * STRIDE), left = filled((long)STRIDED * STRIDE), right = filled((long)STRIDED * STRIDE);
    matrix = filled((long)ORDER * ORDER), turned = filled((long)ORDER * ORDER);
    lower = filled((long)LINES * POINTS), middle = filled((long)LINES * POINTS), upper = filled((long)LINES * POINTS);
    result = filled((long)LINES * POINTS);
    flat_in = filled(FLAT * FLAT), flat_out = filled(FLAT * FLAT);
    cube_in = filled((long)CUBE * CUBE * CUBE), cube_out = filled((long)CUBE * CUBE * CUBE);
    band = filled((long)ROWS * DIAGONALS), vector = filled(ROWS), image = filled(ROWS);
    argument = filled(VALUES), value = filled(VALUES);
    series = filled((long)SERIES * LENGTH), sums = filled((long)SERIES * LENGTH);
    table = filled(TABLE), found = filled(LOOKUPS);
    key = malloc(sizeof *key * KEYS);
    if (!key) abort();
    EACH for (uint32_t i = 0; i < KEYS; ++i) key[i] = (i * 2654435761u) >> 7;
}

static const struct block all[] = {
    BLOCK(strided_triad), BLOCK(blocked_transpose), BLOCK(tridiagonal_lines), BLOCK(private_histogram),
    BLOCK(far_star), BLOCK(all_neighbours), BLOCK(diagonal_product), BLOCK(exponentials),
    BLOCK(running_sums), BLOCK(table_lookups),
    {0, 0},
};

int main(int argc, char** argv) {
    prepare();
    return run(all, argc, argv);
}
