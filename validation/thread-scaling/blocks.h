// What the programs of code blocks have in common: loops shared by threads, data touched by the threads that use them, and
// blocks as marked regions.
#pragma once

#include "samples.h"

#include "foretell.h"

#define EACH _Pragma("omp parallel for schedule(static)")
#define KEEP __attribute__((noinline)) static

static double* filled(long n) {
    double* p = malloc((size_t)n * sizeof *p);
    if (!p) abort();
    EACH for (long i = 0; i < n; ++i) p[i] = 1.0 + 1e-9 * (double)i;
    return p;
}

#define BLOCK(name) {#name, name}

// PROGRAM REPEATS: every block so often, as a marked region.  PROGRAM SECONDS SAMPLES: a series of times.
static int run(const struct block* blocks, int argc, char** argv) {
    if (argc > 2) {
        sample(blocks, atof(argv[1]), argv[2]);
        return 0;
    }
    const int repeats = argc > 1 ? atoi(argv[1]) : 1;
    for (const struct block* b = blocks; b->name; ++b) {
        b->run();  // caches and pages as in the middle of a run
        FORETELL_BEGIN(b->name);
        for (int k = 0; k < repeats; ++k) b->run();
        FORETELL_END;
    }
    return 0;
}
