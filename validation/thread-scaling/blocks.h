// What the programs of code blocks have in common: loops shared by threads, data touched by the threads that use them, and
// blocks as marked regions.
#pragma once

#include "foretell.h"

#define EACH _Pragma("omp parallel for schedule(static)")
#define KEEP __attribute__((noinline)) static

static double* filled(long n) {
    double* p = malloc((size_t)n * sizeof *p);
    if (!p) abort();
    EACH for (long i = 0; i < n; ++i) p[i] = 1.0 + 1e-9 * (double)i;
    return p;
}

#define BLOCK(name)                                          \
    do {                                                     \
        name(); /* caches and pages as in the middle of a run */ \
        FORETELL_BEGIN(#name);                               \
        for (int k = 0; k < repeats; ++k) name();            \
        FORETELL_END;                                        \
    } while (0)
