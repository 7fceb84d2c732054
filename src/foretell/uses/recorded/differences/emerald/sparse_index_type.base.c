void spmv(int rows, const int *restrict column, const double *restrict value, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = 5 * i; k < 5 * i + 5; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}
