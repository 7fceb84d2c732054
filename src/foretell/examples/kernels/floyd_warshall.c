/* All shortest paths of a graph: floyd_warshall NODES */
#include "example.h"

void floyd_warshall(int n, double *d) {
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double through = d[i * n + k] + d[k * n + j];
                if (through < d[i * n + j]) d[i * n + j] = through;
            }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 96);
    double *d = numbers((size_t)n * n, 23);
    for (int i = 0; i < n; i++) d[i * n + i] = 0;
    double started = now();
    floyd_warshall(n, d);
    report(started, d, (size_t)n * n);
    free(d);
}
