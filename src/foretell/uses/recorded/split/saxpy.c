void saxpy(long begin, long end, float a, const float *restrict x, float *restrict y) {
#pragma omp parallel for schedule(static)
    for (long i = begin; i < end; i++) y[i] = a * x[i] + y[i];
}
