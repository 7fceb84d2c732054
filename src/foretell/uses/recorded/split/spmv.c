void spmv(long begin, long end, const int *restrict start, const int *restrict column, const float *restrict value,
          const float *restrict x, float *restrict y) {
#pragma omp parallel for schedule(static)
    for (long i = begin; i < end; i++) {
        float sum = 0;
        for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}
