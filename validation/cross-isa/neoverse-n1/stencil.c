// One sweep of a 7-point stencil with its centre over N^3 doubles, for several N: a marked region each.
//   gcc -O3 -march=x86-64-v3 -fopenmp -I$(foretell profile --include) stencil.c -o stencil
//   aarch64-linux-gnu-gcc -O3 -mcpu=neoverse-n1 -fopenmp -static -I… stencil.c -o stencil-aarch64
// Usage: stencil REPEATS N [N …]
#include "foretell.h"

#include <stdio.h>
#include <time.h>

__attribute__((noinline)) void sweep(int n, double* restrict q, const double* restrict p) {
    const long row = n, plane = row * n;
#pragma omp parallel for schedule(static)
    for (int k = 1; k < n - 1; ++k)
        for (int j = 1; j < n - 1; ++j)
            for (int i = 1; i < n - 1; ++i) {
                const long c = k * plane + j * row + i;
                q[c] = 0.4 * p[c] + 0.1 * (p[c - 1] + p[c + 1] + p[c - row] + p[c + row] + p[c - plane] + p[c + plane]);
            }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
    const int repeats = atoi(argv[1]);
    for (int a = 2; a < argc; ++a) {
        const int n = atoi(argv[a]);
        const long size = (long)n * n * n;
        double *p = malloc((size_t)size * sizeof *p), *q = malloc((size_t)size * sizeof *q);
        if (!p || !q) abort();
        for (long c = 0; c < size; ++c) p[c] = q[c] = 1e-9 * (double)c;
        char name[16];
        snprintf(name, sizeof name, "n%d", n);
        if (repeats > 1) sweep(n, q, p);  // pages and caches as in the middle of a run
        double best = 1e9;
        FORETELL_BEGIN(name);
        for (int r = 0; r < repeats; ++r) {
            const double start = seconds();
            sweep(n, q, p);
            const double took = seconds() - start;
            best = took < best ? took : best;
        }
        FORETELL_END;
        printf("%s %.9f\n", name, best);
        free(p);
        free(q);
    }
    return 0;
}
