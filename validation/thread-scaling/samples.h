// Times of code blocks, each between two looks at the cores they run on (protocol.md says what they are for).
// Written as lines, in the order in which it happened:
//   pair CPU CPU NS NS     a look at two CPUs at a time: the wide spin of each, the shorter of two
//   visit THREADS CPU      threads are pinned one by one, from this CPU on
//   memory SECONDS         a triad of these threads over arrays that stay in no cache
//   look N NS: NS [NS …]   how often the system took a CPU from a thread so far; the longest chain of all threads, and the
//                          wide spin of each
//   run NAME SECONDS       the block, once; a look before it and one after it
#pragma once

#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "foretell_interference.h"

enum {
    CHAIN = 16384, WIDE = 8192,  // passes of the two spins: 10 to 20 microseconds each
    FAR = 20 << 20,              // elements of each of the three arrays that the triad goes through
    MOST_CPUS = 256,
    SAMPLES = 2,                 // of each block in a visit
    SELDOM = 4                   // rounds from one with numbers of threads between one and all to the next
};

struct block {
    const char* name;
    void (*run)(void);
};

static int cpus[MOST_CPUS], cpu_count;
static struct {
    long chain, wide, taken;
    char apart[40];  // a line of its own for each thread
} seen[MOST_CPUS];
static FILE* samples;
static double *far_a, *far_b, *far_c;

// ------------------------------------------------------------------------------------ the two spins

static volatile uint64_t spun;

static void look(int threads) {
#pragma omp parallel num_threads(threads)
    {
        const int me = omp_get_thread_num();
        struct rusage use;
        getrusage(RUSAGE_THREAD, &use);
        seen[me].taken = use.ru_nivcsw;
#pragma omp barrier
        const long start = foretell_nanoseconds();
        uint64_t x = foretell_chain((uint64_t)me + 1, CHAIN);
        const long between = foretell_nanoseconds();
#pragma omp barrier
        const long again = foretell_nanoseconds();
        x = foretell_wide(x, WIDE);
        seen[me].chain = between - start, seen[me].wide = foretell_nanoseconds() - again;
        spun = x;
    }
}

static void write_look(int threads) {
    long longest = 0, taken = 0;
    look(threads);
    for (int k = 0; k < threads; ++k) {
        longest = seen[k].chain > longest ? seen[k].chain : longest;
        taken += seen[k].taken;
    }
    fprintf(samples, "look %ld %ld:", taken, longest);
    for (int k = 0; k < threads; ++k) fprintf(samples, " %ld", seen[k].wide);
    fprintf(samples, "\n");
}

// ------------------------------------------------------------------------------------ where threads run

static void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set)) abort();
}

// Threads of all later regions of this size run on these CPUs, one on each.
static void place(int threads, int first, int step) {
#pragma omp parallel num_threads(threads)
    pin(cpus[(first + step * omp_get_thread_num()) % cpu_count]);
}

static void find_cpus(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set)) abort();
    for (int cpu = 0; cpu < MOST_CPUS; ++cpu)
        if (CPU_ISSET(cpu, &set)) cpus[cpu_count++] = cpu;
}

// Which CPUs are threads of one core? The system of a virtual machine does not say; two spins do.
static void write_pairs(void) {
    for (int i = 0; i < cpu_count; ++i)
        for (int j = i + 1; j < cpu_count; ++j) {
            long least[2] = {1L << 60, 1L << 60};
            place(2, i, j - i);
            for (int k = 0; k < 2; ++k) {
                look(2);
                for (int t = 0; t < 2; ++t)
                    if (seen[t].wide < least[t]) least[t] = seen[t].wide;
            }
            fprintf(samples, "pair %d %d %ld %ld\n", cpus[i], cpus[j], least[0], least[1]);
        }
}

// ------------------------------------------------------------------------------------ series

static void write_memory(int threads) {
    const long start = foretell_nanoseconds();
#pragma omp parallel for schedule(static) num_threads(threads)
    for (long i = 0; i < FAR; ++i) far_a[i] = far_b[i] + 3.0 * far_c[i];
    fprintf(samples, "memory %.6e\n", 1e-9 * (double)(foretell_nanoseconds() - start));
}

static void visit(const struct block* blocks, int threads, int first) {
    omp_set_num_threads(threads);
    place(threads, first, 1);
    fprintf(samples, "visit %d %d\n", threads, cpus[first]);
    write_memory(threads);
    for (const struct block* b = blocks; b->name; ++b) {
        b->run();  // caches and pages as in the middle of a run
        write_look(threads);
        for (int k = 0; k < SAMPLES; ++k) {
            const long start = foretell_nanoseconds();
            b->run();
            fprintf(samples, "run %s %.6e\n", b->name, 1e-9 * (double)(foretell_nanoseconds() - start));
            write_look(threads);
        }
    }
    write_memory(threads);
}

static double* far_array(void) {
    double* p = malloc((size_t)FAR * sizeof *p);
    if (!p) abort();
#pragma omp parallel for schedule(static)
    for (long i = 0; i < FAR; ++i) p[i] = 1.0;
    return p;
}

static int more(int threads, int round) {
    return round % SELDOM == 0 && 2 * threads < cpu_count ? 2 * threads : cpu_count;
}

// Visits with one and with all threads, at times with 2, 4, …, until the time is over; every round begins at the next CPU.
static void sample(const struct block* blocks, double seconds, const char* path) {
    const long end = foretell_nanoseconds() + (long)(1e9 * seconds);
    samples = fopen(path, "w");
    if (!samples) abort();
    find_cpus();
    far_a = far_array(), far_b = far_array(), far_c = far_array();
    write_pairs();
    for (int round = 0; round == 0 || foretell_nanoseconds() < end; ++round)
        for (int threads = 1, before = 0; threads != before; before = threads, threads = more(threads, round))
            visit(blocks, threads, round % cpu_count);
    fclose(samples);
}
