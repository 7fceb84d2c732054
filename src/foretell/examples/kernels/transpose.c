/* Rows of a square matrix as the columns of another: transpose N */
#include "example.h"

void transpose(int n, const double *a, double *b) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) b[(size_t)i * n + j] = a[(size_t)j * n + i];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 256);
    size_t cells = (size_t)n * n;
    double *a = numbers(cells, 42), *b = numbers(cells, 43);
    double started = now();
    transpose(n, a, b);
    /* what is moved to a wrong place must change the sum */
    report(started, b + cells / 3, cells / 2);
    free(a);
    free(b);
}
