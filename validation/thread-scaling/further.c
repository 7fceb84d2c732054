// Ten more code blocks with OpenMP, which nothing in the model was made with: chains, divisions, and streams of other kinds.
// As in blocks.c: each a marked region, run once before, data touched by the threads that use them.
#include "foretell.h"

#define EACH _Pragma("omp parallel for schedule(static)")
#define KEEP __attribute__((noinline)) static

enum {
    LONG = 1 << 23,                  // elements of a vector that fits no cache of one core
    MIDDLE = 1 << 20,                // elements of a vector that fits the last level only
    SIDE = 2048,                     // of the matrix that is transposed
    ROWS = 4096, COLUMNS = 2048,     // of the matrix that is multiplied by a vector
    WORDS = 1 << 20
};

static double *a, *b, *c, *middle_a, *middle_b, *matrix, *turned, *vector, *image;
static unsigned* words;
static volatile double sink;

KEEP void chained_sum(void) {
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < LONG; ++i) sum += a[i];
    sink = sum;
}

KEEP void partial_sums(void) {
    double sum[8] = {0};
#pragma omp parallel for schedule(static) reduction(+ : sum[:8])
    for (int i = 0; i < LONG; i += 8)
        for (int k = 0; k < 8; ++k) sum[k] += a[i + k] * b[i + k];
    for (int k = 0; k < 8; ++k) sink = sum[k];
}

KEEP void scaled_copy(void) {
    EACH for (int i = 0; i < LONG; ++i) a[i] = 0.5 * b[i];
}

KEEP void update_in_place(void) {
    EACH for (int i = 0; i < LONG; ++i) a[i] = 0.999 * a[i] + 0.1;
}

KEEP void short_polynomials(void) {
    EACH for (int i = 0; i < LONG; ++i) {
        const double x = b[i];
        double y = 1;
        for (int d = 0; d < 8; ++d) y = y * x + 0.5;
        a[i] = y;
    }
}

KEEP void quotients(void) {
    EACH for (int i = 0; i < LONG; ++i) a[i] = b[i] / (1.0 + c[i] * c[i]);
}

KEEP void middle_triad(void) {
    for (int repeat = 0; repeat < 10; ++repeat) {
        EACH for (int i = 0; i < MIDDLE; ++i) middle_a[i] = middle_a[i] + 0.5 * middle_b[i];
    }
}

KEEP void matrix_vector(void) {
    EACH for (int r = 0; r < ROWS; ++r) {
        double sum = 0;
        for (int k = 0; k < COLUMNS; ++k) sum += matrix[(long)r * COLUMNS + k] * vector[k];
        image[r] = sum;
    }
}

KEEP void transposition(void) {
    EACH for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j) turned[(long)i * SIDE + j] = matrix[(long)j * SIDE + i];
}

KEEP void hashes(void) {
    EACH for (int i = 0; i < WORDS; ++i) {
        unsigned h = (unsigned)i;
        for (int k = 0; k < 16; ++k) h = (h ^ (h >> 15)) * 2246822519u + (unsigned)k;
        words[i] = h;
    }
}

static double* filled(long n) {
    double* p = malloc((size_t)n * sizeof *p);
    if (!p) abort();
    EACH for (long i = 0; i < n; ++i) p[i] = 1.0 + 1e-9 * (double)i;
    return p;
}

static void prepare(void) {
    a = filled(LONG), b = filled(LONG), c = filled(LONG), middle_a = filled(MIDDLE), middle_b = filled(MIDDLE);
    matrix = filled((long)ROWS * COLUMNS), turned = filled((long)SIDE * SIDE), vector = filled(COLUMNS), image = filled(ROWS);
    words = malloc(sizeof *words * WORDS);
    if (!words) abort();
    EACH for (int i = 0; i < WORDS; ++i) words[i] = 0;
}

#define BLOCK(name)                                          \
    do {                                                     \
        name(); /* caches and pages as in the middle of a run */ \
        FORETELL_BEGIN(#name);                               \
        for (int k = 0; k < repeats; ++k) name();            \
        FORETELL_END;                                        \
    } while (0)

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? atoi(argv[1]) : 1;
    prepare();
    BLOCK(chained_sum); BLOCK(partial_sums); BLOCK(scaled_copy); BLOCK(update_in_place); BLOCK(short_polynomials);
    BLOCK(quotients); BLOCK(middle_triad); BLOCK(matrix_vector); BLOCK(transposition); BLOCK(hashes);
    return 0;
}
