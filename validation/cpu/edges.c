// Sweeps over arrays around the size of a cache, on pages of 4 KiB that are mapped anew each time: nanoseconds for each
// line that is read, and for each that is updated. Where sets are chosen by where pages lie, the time rises slowly.
//     gcc -O2 edges.c -o edges && ./edges [MiB of the cache]
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { LINE = 64, MAPPINGS = 12, SWEEPS = 120 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static double read_lines(const char *from, size_t bytes) {
    double a = 0, b = 0;
    for (size_t k = 0; k < bytes; k += 2 * LINE) {
        a += *(const double *)(from + k);
        b += *(const double *)(from + k + LINE);
    }
    return a + b;
}

static double update_lines(char *from, size_t bytes) {
    for (size_t k = 0; k < bytes; k += LINE) *(double *)(from + k) += 1;
    return *(double *)from;
}

static double line_time(size_t bytes, int update) {
    char *array = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (array == MAP_FAILED) exit(1);
    madvise(array, bytes, MADV_NOHUGEPAGE);
    memset(array, 0, bytes);
    volatile double sink = 0;
    double best = 1e18;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const double before = now();
        sink += update ? update_lines(array, bytes) : read_lines(array, bytes);
        const double took = now() - before;
        if (took < best) best = took;
    }
    munmap(array, bytes);
    return best / (double)(bytes / LINE);
}

int main(int count, char **words) {
    const double cache = (count > 1 ? atof(words[1]) : 1) * (1 << 20);
    const double parts[] = {0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.5, 1.75, 2, 2.5, 3};
    puts("of the cache   read  update   (ns for a line, means of fresh mappings)");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        const size_t bytes = (size_t)(parts[k] * cache) / 4096 * 4096;
        double sum[2] = {0, 0};
        for (int mapping = 0; mapping < MAPPINGS; mapping++)
            for (int update = 0; update < 2; update++) sum[update] += line_time(bytes, update) / MAPPINGS;
        printf("%12.2f  %5.2f  %6.2f\n", parts[k], sum[0], sum[1]);
        fflush(stdout);
    }
}
