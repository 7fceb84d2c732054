/* LU factors of a matrix in place, without pivoting: lu N */
#include "example.h"

void lu(int n, double *a) {
    for (int k = 0; k < n - 1; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 128);
    double *a = numbers((size_t)n * n, 15);
    for (int i = 0; i < n; i++) a[i * n + i] += n;
    double started = now();
    lu(n, a);
    report(started, a, (size_t)n * n);
    free(a);
}
