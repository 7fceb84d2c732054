/* Sparse matrix times vector, jagged diagonals: spmv_jds ROWS LONGEST_ROW */
#include "example.h"

void spmv(int diagonals, const int *start, const int *column, const double *value, const int *order, const double *x,
          double *y) {
    for (int d = 0; d < diagonals; d++) {
#pragma omp parallel for
        for (int k = start[d]; k < start[d + 1]; k++) y[order[k - start[d]]] += value[k] * x[column[k]];
    }
}

int main(int argc, char **argv) {
    int rows = size_argument(argc, argv, 1, 20000), longest = size_argument(argc, argv, 2, 10);
    int *start = (int *)malloc((longest + 1) * sizeof *start), *order = (int *)malloc(rows * sizeof *order);
    start[0] = 0; /* rows get shorter: diagonal d holds the first rows only */
    for (int d = 0; d < longest; d++) start[d + 1] = start[d] + rows - (int)((long)rows * d / (2 * longest));
    int entries = start[longest];
    int *column = (int *)malloc((size_t)entries * sizeof *column);
    double *value = numbers(entries, 11), *x = numbers(rows, 12), *y = numbers(rows, 13);
    unsigned state = 14;
    for (int i = 0; i < rows; i++) order[i] = (int)((7919L * i) % rows);
    if (rows % 7919 == 0)
        for (int i = 0; i < rows; i++) order[i] = i;
    for (int k = 0; k < entries; k++) column[k] = (int)(number(&state) * rows);
    double started = now();
    spmv(longest, start, column, value, order, x, y);
    report(started, y, rows);
    free(start);
    free(order);
    free(column);
    free(value);
    free(x);
    free(y);
}
