/* Sparse matrix times vector, compressed rows: spmv_csr ROWS PER_ROW */
#include "example.h"

void spmv(int rows, const int *start, const int *column, const double *value, const double *x, double *y) {
#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

int main(int argc, char **argv) {
    int rows = size_argument(argc, argv, 1, 20000), per_row = size_argument(argc, argv, 2, 10);
    int *start = (int *)malloc((rows + 1) * sizeof *start), *column = (int *)malloc((size_t)rows * per_row * sizeof *column);
    double *value = numbers((size_t)rows * per_row, 7), *x = numbers(rows, 8), *y = numbers(rows, 9);
    unsigned state = 10;
    for (int i = 0; i <= rows; i++) start[i] = i * per_row;
    for (int k = 0; k < rows * per_row; k++) column[k] = (int)(number(&state) * rows);
    double started = now();
    spmv(rows, start, column, value, x, y);
    report(started, y, rows);
    free(start);
    free(column);
    free(value);
    free(x);
    free(y);
}
