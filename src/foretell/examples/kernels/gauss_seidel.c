/* Gauss-Seidel sweeps in place; with OpenMP along diagonals: gauss_seidel N STEPS */
#include "example.h"

static inline void relax(int n, double *a, int i, int j) {
    size_t p = (size_t)i * n + j;
    a[p] = 0.25 * (a[p - n] + a[p - 1] + a[p + 1] + a[p + n]);
}

void gauss_seidel(int n, int steps, double *a) {
    for (int t = 0; t < steps; t++) {
#ifdef _OPENMP
        for (int d = 2; d <= 2 * (n - 2); d++) {
            int first = d - (n - 2) > 1 ? d - (n - 2) : 1, last = d - 1 < n - 2 ? d - 1 : n - 2;
#pragma omp parallel for
            for (int i = first; i <= last; i++) relax(n, a, i, d - i);
        }
#else
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) relax(n, a, i, j);
#endif
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 256), steps = size_argument(argc, argv, 2, 4);
    double *a = numbers((size_t)n * n, 22);
    double started = now();
    gauss_seidel(n, steps, a);
    report(started, a, (size_t)n * n);
    free(a);
}
