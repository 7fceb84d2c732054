void stencil(long begin, long end, long n, const float *restrict a, float *restrict b) {
#pragma omp parallel for schedule(static)
    for (long k = begin; k < end; k++)
        for (long j = 1; j < n - 1; j++)
            for (long i = 1; i < n - 1; i++)
                b[(k * n + j) * n + i] = 0.4f * a[(k * n + j) * n + i] +
                                         0.1f * (a[(k * n + j) * n + i - 1] + a[(k * n + j) * n + i + 1] +
                                                 a[(k * n + j - 1) * n + i] + a[(k * n + j + 1) * n + i] +
                                                 a[((k - 1) * n + j) * n + i] + a[((k + 1) * n + j) * n + i]);
}
