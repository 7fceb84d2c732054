/* Product of two square matrices, in blocks that stay in a cache: matrix_product N */
#include "example.h"
enum { BLOCK = 64 };

static inline int least(int a, int b) { return a < b ? a : b; }

void matrix_product(int n, const double *a, const double *b, double *c) {
#pragma omp parallel for collapse(2)
    for (int rows = 0; rows < n; rows += BLOCK)
        for (int columns = 0; columns < n; columns += BLOCK) {
            const int last_row = least(rows + BLOCK, n), last_column = least(columns + BLOCK, n);
            for (int depth = 0; depth < n; depth += BLOCK) {
                const int last = least(depth + BLOCK, n);
                for (int i = rows; i < last_row; i++)
                    for (int k = depth; k < last; k++)
                        for (int j = columns; j < last_column; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, 96);
    size_t cells = (size_t)n * n;
    double *a = numbers(cells, 30), *b = numbers(cells, 31), *c = numbers(cells, 32);
    double started = now();
    matrix_product(n, a, b, c);
    report(started, c, cells);
    free(a);
    free(b);
    free(c);
}
