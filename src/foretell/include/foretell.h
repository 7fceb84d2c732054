/* Marks regions of a program for `foretell profile`:
 *
 *     FORETELL_BEGIN("solve");
 *     ...
 *     FORETELL_END;
 *
 * Regions do not nest and are entered by one thread, outside parallel regions. Outside of `foretell profile` the two
 * calls cost a comparison. Compile where valgrind's headers are installed (package valgrind), or only times are known.
 */
#ifndef FORETELL_H
#define FORETELL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#ifndef CALLGRIND_DUMP_STATS_AT
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#endif

#define FORETELL_REGIONS 64
#define FORETELL_NAME 100

static struct {
    char name[FORETELL_REGIONS][FORETELL_NAME];
    double seconds[FORETELL_REGIONS];
    long calls[FORETELL_REGIONS];
    int count, current, wrong, on; /* on: 0 not asked yet, 1 yes, -1 no */
    double start;
} foretell_state = {.current = -1};

static inline double foretell_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void foretell_write(void) {
    FILE *file = fopen(getenv("FORETELL_TIMES"), "a");
    if (!file) return;
    for (int k = 0; k < foretell_state.count; ++k)
        fprintf(file, "region %.9e %ld %s\n", foretell_state.seconds[k], foretell_state.calls[k], foretell_state.name[k]);
    if (foretell_state.wrong || foretell_state.current >= 0) fprintf(file, "wrong\n");
    fclose(file);
}

static inline int foretell_on(void) {
    if (!foretell_state.on) {
        foretell_state.on = getenv("FORETELL_TIMES") ? 1 : -1;
        if (foretell_state.on > 0) atexit(foretell_write);
    }
    return foretell_state.on > 0;
}

static inline void foretell_begin(const char *name) {
    int k = 0;
    if (!foretell_on()) return;
    while (k < foretell_state.count && strncmp(foretell_state.name[k], name, FORETELL_NAME - 1)) ++k;
    if (foretell_state.current >= 0 || k == FORETELL_REGIONS || !*name) {
        foretell_state.wrong = 1;
        return;
    }
    if (k == foretell_state.count) {
        strncpy(foretell_state.name[k], name, FORETELL_NAME - 1);
        ++foretell_state.count;
    }
    foretell_state.current = k;
    CALLGRIND_DUMP_STATS_AT("foretell:");
    foretell_state.start = foretell_now();
}

static inline void foretell_end(void) {
    char mark[FORETELL_NAME + 16] = "foretell:";
    const int k = foretell_state.current;
    if (!foretell_on()) return;
    if (k < 0) {
        foretell_state.wrong = 1;
        return;
    }
    foretell_state.seconds[k] += foretell_now() - foretell_state.start;
    ++foretell_state.calls[k];
    foretell_state.current = -1;
    strcat(mark, foretell_state.name[k]);
    CALLGRIND_DUMP_STATS_AT(mark);
}

#define FORETELL_BEGIN(name) foretell_begin(name)
#define FORETELL_END foretell_end()

#endif
