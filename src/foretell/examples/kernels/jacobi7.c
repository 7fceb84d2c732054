/* Seven-point Jacobi sweeps on a cube: jacobi7 N STEPS */
#include "example.h"
#define AT(a, i, j, k) a[((size_t)(i) * n + (j)) * n + (k)]

void jacobi(int n, int steps, double *a, double *b) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    AT(b, i, j, k) = 0.4 * AT(a, i, j, k) +
                                     0.1 * (AT(a, i - 1, j, k) + AT(a, i + 1, j, k) + AT(a, i, j - 1, k) +
                                            AT(a, i, j + 1, k) + AT(a, i, j, k - 1) + AT(a, i, j, k + 1));
        double *swap = a;
        a = b;
        b = swap;
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 64), steps = size_argument(argc, argv, 2, 4);
    double *a = numbers((size_t)n * n * n, 1), *b = numbers((size_t)n * n * n, 1);
    double started = now();
    jacobi(n, steps, a, b);
    report(started, a, (size_t)n * n * n);
    free(a);
    free(b);
}
