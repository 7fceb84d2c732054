void matmul(long begin, long end, long n, const float *restrict a, const float *restrict b, float *restrict c) {
#pragma omp parallel for schedule(static)
    for (long i = begin; i < end; i++)
        for (long k = 0; k < n; k++)
            for (long j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
