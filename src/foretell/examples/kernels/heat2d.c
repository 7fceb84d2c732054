/* Explicit heat equation on a plate, two arrays: heat2d N STEPS */
#include "example.h"

void heat(int n, int steps, double *old, double *new) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                size_t p = (size_t)i * n + j;
                new[p] = old[p] + 0.1 * (old[p - n] + old[p + n] + old[p - 1] + old[p + 1] - 4.0 * old[p]);
            }
        double *swap = old;
        old = new;
        new = swap;
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 512), steps = size_argument(argc, argv, 2, 8);
    double *a = numbers((size_t)n * n, 2), *b = numbers((size_t)n * n, 2);
    double started = now();
    heat(n, steps, a, b);
    report(started, a, (size_t)n * n);
    free(a);
    free(b);
}
