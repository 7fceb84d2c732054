// Merge sort from short runs to long ones: merge_sort N
#include "example.h"

static void merge(const double *from, double *to, int first, int middle, int last) {
    int i = first, j = middle;
    for (int k = first; k < last; k++) {
        const bool left = j >= last || (i < middle && from[i] <= from[j]);
        to[k] = left ? from[i++] : from[j++];
    }
}

extern "C" void merge_sort(int n, double *a, double *b) {
    for (int run = 1; run < n; run *= 2) {
#pragma omp parallel for
        for (int first = 0; first < n; first += 2 * run) {
            const int middle = first + run < n ? first + run : n, last = first + 2 * run < n ? first + 2 * run : n;
            merge(a, b, first, middle, last);
        }
#pragma omp parallel for
        for (int k = 0; k < n; k++) a[k] = b[k];
    }
}

int main(int argc, char **argv) {
    const int n = size_argument(argc, argv, 1, 10000);
    double *a = numbers(n, 25), *b = numbers(n, 26);
    const double started = now();
    merge_sort(n, a, b);
    report(started, a, n);
    free(a);
    free(b);
}
