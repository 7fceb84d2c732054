/* Local alignment of two sequences; with OpenMP along diagonals: smith_waterman LENGTH */
#include "example.h"

static inline void cell(int n, double *h, const char *a, const char *b, int i, int j) {
    size_t p = (size_t)i * (n + 1) + j;
    double best = h[p - n - 2] + (a[i - 1] == b[j - 1] ? 2.0 : -1.0);
    double up = h[p - n - 1] - 1.0, left = h[p - 1] - 1.0;
    best = best > up ? best : up;
    best = best > left ? best : left;
    h[p] = best > 0 ? best : 0;
}

void smith_waterman(int n, const char *a, const char *b, double *h) {
#ifdef _OPENMP
    for (int d = 2; d <= 2 * n; d++) {
        int first = d - n > 1 ? d - n : 1, last = d - 1 < n ? d - 1 : n;
#pragma omp parallel for
        for (int i = first; i <= last; i++) cell(n, h, a, b, i, d - i);
    }
#else
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) cell(n, h, a, b, i, j);
#endif
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 256);
    size_t cells = (size_t)(n + 1) * (n + 1);
    char *a = (char *)malloc(n), *b = (char *)malloc(n);
    double *h = (double *)calloc(cells, sizeof *h);
    unsigned state = 24;
    for (int i = 0; i < n; i++) a[i] = "ACGT"[(int)(number(&state) * 4)];
    for (int i = 0; i < n; i++) b[i] = "ACGT"[(int)(number(&state) * 4)];
    double started = now();
    smith_waterman(n, a, b, h);
    report(started, h, cells);
    free(a);
    free(b);
    free(h);
}
