/* What the examples share: sizes from the command line, repeatable numbers, and the time of the kernel. */
#ifndef EXAMPLE_H
#define EXAMPLE_H
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The team of threads is started here, before anything is timed: it is made once for a program, not for a kernel. */
static inline void start_threads(void) {
#ifdef _OPENMP
#pragma omp parallel
    __asm__ volatile("" ::: "memory");
#endif
}

static inline int size_argument(int argc, char **argv, int position, int preset) {
    int value = argc > position ? atoi(argv[position]) : preset;
    if (value < 1) {
        fprintf(stderr, "argument %d must be a positive number\n", position);
        exit(2);
    }
    start_threads();
    return value;
}

/* Numbers in [0, 1) that are the same everywhere. */
static inline double number(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) * (1.0 / 16777216.0);
}

static inline double *numbers(size_t count, unsigned seed) {
    double *made = (double *)malloc(count * sizeof *made);
    for (size_t i = 0; i < count; i++) made[i] = number(&seed);
    return made;
}

static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void report(double started, const double *values, size_t count) {
    double elapsed = now() - started, sum = 0;
    for (size_t i = 0; i < count; i++) sum += values[i];
    printf("seconds %.9f checksum %.12g\n", elapsed, sum);
}
#endif
