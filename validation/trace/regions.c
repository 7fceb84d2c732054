/* Seconds that a parallel region takes before any work is done in it: regions; prints for each way and team its median.
   empty: nothing inside. shared: every thread writes a line, and reads the one its neighbour wrote in the region before. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CHUNKS = 400, EACH = 100, LINE = 16 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double lines[2][1024 * LINE];

static void region(int shared, int turn) {
    if (!shared) {
#pragma omp parallel
        __asm__ volatile("" ::: "memory");
        return;
    }
    const double *from = lines[turn & 1];
    double *to = lines[1 - (turn & 1)];
    const int team = omp_get_max_threads();
#pragma omp parallel for
    for (int i = 0; i < team; i++) to[i * LINE] = from[(i + 1) % team * LINE] + 1.0;
}

static int less(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

int main(void) {
    const int most = omp_get_max_threads();
    static double seconds[CHUNKS];
    for (int shared = 0; shared < 2; shared++)
        for (int team = 1; team <= most; team *= 2) {
            omp_set_num_threads(team);
            for (int chunk = -40; chunk < CHUNKS; chunk++) {
                const double started = now();
                for (int turn = 0; turn < EACH; turn++) region(shared, turn);
                if (chunk >= 0) seconds[chunk] = (now() - started) / EACH;
            }
            qsort(seconds, CHUNKS, sizeof *seconds, less);
            printf("%s %d %.4e\n", shared ? "shared" : "empty", team, seconds[CHUNKS / 2]);
        }
}
