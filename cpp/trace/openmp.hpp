// The functions of OpenMP for a program that is traced by one thread: its directives are not followed. Weak, so that a
// program which brings its own keeps them.
#pragma once

#include <time.h>

#define FORETELL_WEAK __attribute__((weak))

extern "C" {
FORETELL_WEAK int omp_get_num_threads() { return 1; }
FORETELL_WEAK int omp_get_max_threads() { return 1; }
FORETELL_WEAK int omp_get_thread_num() { return 0; }
FORETELL_WEAK int omp_get_num_procs() { return 1; }
FORETELL_WEAK int omp_in_parallel() { return 0; }
FORETELL_WEAK int omp_get_level() { return 0; }
FORETELL_WEAK void omp_set_num_threads(int) {}
FORETELL_WEAK void omp_set_dynamic(int) {}
FORETELL_WEAK double omp_get_wtime() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
}

#undef FORETELL_WEAK
