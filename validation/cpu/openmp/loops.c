/* Parallel loops of OpenMP in their usual forms. */
void triad_static(long n, double s, const double* b, const double* c, double* a) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}

double dot_reduction(long n, const double* x, const double* y) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

void triangle_static(long n, const double* a, const double* x, double* y) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++) {
        double sum = 0;
        for (long j = 0; j <= i; j++) sum += a[i * n + j] * x[j];
        y[i] = sum;
    }
}

void triangle_cyclic(long n, const double* a, const double* x, double* y) {
#pragma omp parallel for schedule(static, 4)
    for (long i = 0; i < n; i++) {
        double sum = 0;
        for (long j = 0; j <= i; j++) sum += a[i * n + j] * x[j];
        y[i] = sum;
    }
}

void triangle_dynamic(long n, const double* a, const double* x, double* y) {
#pragma omp parallel for schedule(dynamic, 8)
    for (long i = 0; i < n; i++) {
        double sum = 0;
        for (long j = 0; j <= i; j++) sum += a[i * n + j] * x[j];
        y[i] = sum;
    }
}

void triangle_guided(long n, const double* a, const double* x, double* y) {
#pragma omp parallel for schedule(guided)
    for (long i = 0; i < n; i++) {
        double sum = 0;
        for (long j = 0; j <= i; j++) sum += a[i * n + j] * x[j];
        y[i] = sum;
    }
}

void fine_dynamic(long n, const double* x, double* y) {
#pragma omp parallel for schedule(dynamic)
    for (long i = 0; i < n; i++) y[i] = x[i] * x[i] + 1.0;
}

void neighbours_cyclic(long n, const double* x, double* y) {
#pragma omp parallel for schedule(static, 1)
    for (long i = 0; i < n; i++) y[i] = x[i] * x[i] + 1.0;
}

void chunks_dynamic(long n, const double* x, double* y) {
#pragma omp parallel for schedule(dynamic, 64)
    for (long i = 0; i < n; i++) y[i] = x[i] * x[i] + 1.0;
}

void slabs_outer(long m, long n, const double* in, double* out) {
#pragma omp parallel for
    for (long k = 0; k < m; k++)
        for (long j = 1; j < n - 1; j++)
            for (long i = 1; i < n - 1; i++)
                out[(k * n + j) * n + i] = 0.25 * (in[(k * n + j) * n + i - 1] + in[(k * n + j) * n + i + 1] +
                                                   in[(k * n + j - 1) * n + i] + in[(k * n + j + 1) * n + i]);
}

void slabs_collapse(long m, long n, const double* in, double* out) {
#pragma omp parallel for collapse(2)
    for (long k = 0; k < m; k++)
        for (long j = 1; j < n - 1; j++)
            for (long i = 1; i < n - 1; i++)
                out[(k * n + j) * n + i] = 0.25 * (in[(k * n + j) * n + i - 1] + in[(k * n + j) * n + i + 1] +
                                                   in[(k * n + j - 1) * n + i] + in[(k * n + j + 1) * n + i]);
}

void counts_shared(long m, long n, const long* x, long* count) {
#pragma omp parallel for schedule(static)
    for (long t = 0; t < m; t++)
        for (long i = 0; i < n; i++) count[t] += x[i];
}

void counts_apart(long m, long n, const long* x, long* count) {
#pragma omp parallel for schedule(static)
    for (long t = 0; t < m; t++)
        for (long i = 0; i < n; i++) count[t * 16] += x[i];
}

void columns_shared(long m, long n, double* a) {
#pragma omp parallel for
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++) a[i * n + j] = a[i * n + j] * 0.5 + 1.0;
}

void product_rows(long n, const double* a, const double* b, double* c) {
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        for (long k = 0; k < n; k++)
            for (long j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

void smooth_region(long steps, long n, double* u, double* v) {
#pragma omp parallel
    for (long t = 0; t < steps; t++) {
#pragma omp for
        for (long i = 1; i < n - 1; i++) v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
#pragma omp for
        for (long i = 1; i < n - 1; i++) u[i] = 0.5 * v[i] + 0.25 * (v[i - 1] + v[i + 1]);
    }
}
