#include <stddef.h>
void spmv(size_t rows, const unsigned *restrict column, const double *restrict value, const double *restrict x, double *restrict y)
{
    for (size_t i = 0; i < rows; i++) {
        double sum = 0;
        for (size_t k = 5 * i; k < 5 * i + 5; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}
