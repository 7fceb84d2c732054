/* A multiple of one vector added to another: vector_update N */
#include "example.h"

void vector_update(int n, double factor, const double *x, double *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += factor * x[i];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 100000);
    double *x = numbers(n, 33), *y = numbers(n, 34);
    double started = now();
    vector_update(n, 0.3, x, y);
    report(started, y, n);
    free(x);
    free(y);
}
