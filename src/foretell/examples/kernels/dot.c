/* Dot product of two vectors: dot N */
#include "example.h"

double dot(int n, const double *x, const double *y) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 100000);
    double *x = numbers(n, 35), *y = numbers(n, 36);
    double started = now(), sum = dot(n, x, y);
    report(started, &sum, 1);
    free(x);
    free(y);
}
