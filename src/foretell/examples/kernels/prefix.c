/* Running sums, one after the other; with OpenMP in blocks: prefix N */
#include "example.h"
#ifdef _OPENMP
#include <omp.h>
#endif

void prefix(int n, const double *x, double *y) {
#ifdef _OPENMP
    double *sums = (double *)calloc((size_t)omp_get_max_threads() + 1, sizeof *sums);
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        int first = (int)((long)n * me / all), last = (int)((long)n * (me + 1) / all);
        double sum = 0;
        for (int i = first; i < last; i++) y[i] = sum += x[i];
        sums[me + 1] = sum;
#pragma omp barrier
        double before = 0;
        for (int t = 1; t <= me; t++) before += sums[t];
        for (int i = first; i < last; i++) y[i] += before;
    }
    free(sums);
#else
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        y[i] = sum;
    }
#endif
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 100000);
    double *x = numbers(n, 20), *y = numbers(n, 21);
    double started = now();
    prefix(n, x, y);
    report(started, y, n);
    free(x);
    free(y);
}
