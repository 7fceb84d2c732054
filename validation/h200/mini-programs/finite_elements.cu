// A matrix of 27 entries in a row assembled from elements by atomic additions, and conjugate gradients with three kernels and two sums that the
// host waits for in each round.
#include "../user-programs/digest.h"
#include <algorithm>

__global__ void pattern(int s, int* first, int* column, double* value) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x, total = s * s * s;
    if (n > total) return;
    if (n == total) { first[n] = 27 * total; return; }
    first[n] = 27 * n;
    const int i = n % s, j = n / s % s, k = n / (s * s);
    for (int d = 0; d < 27; ++d) {
        const int a = i + d % 3 - 1, b = j + d / 3 % 3 - 1, c = k + d / 9 - 1;
        const bool inside = a >= 0 && a < s && b >= 0 && b < s && c >= 0 && c < s;
        column[27 * n + d] = inside ? a + s * (b + s * c) : n;
        value[27 * n + d] = 0;
    }
}
__constant__ double element[64];
__global__ void assemble(int s, const int* first, const int* column, double* value, double* right) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x, cells = s - 1;
    if (e >= cells * cells * cells) return;
    const int i = e % cells, j = e / cells % cells, k = e / (cells * cells);
    for (int a = 0; a < 8; ++a) {
        const int row = i + a % 2 + s * (j + a / 2 % 2 + s * (k + a / 4));
        for (int b = 0; b < 8; ++b) {
            const int to = i + b % 2 + s * (j + b / 2 % 2 + s * (k + b / 4));
            for (int at = first[row]; at < first[row + 1]; ++at)
                if (column[at] == to) { atomicAdd(&value[at], element[8 * a + b]); break; }
        }
        atomicAdd(&right[row], 0.125);
    }
}
__global__ void product(int n, const int* first, const int* column, const double* value, const double* x, double* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    double sum = 0;
    for (int at = first[row]; at < first[row + 1]; ++at) sum += value[at] * x[column[at]];
    y[row] = sum;
}
__global__ void dot(int n, const double* x, const double* y, double* parts) {
    __shared__ double own[256];
    double sum = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += x[i] * y[i];
    own[threadIdx.x] = sum;
    for (int step = 128; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) own[threadIdx.x] += own[threadIdx.x + step];
    }
    if (threadIdx.x == 0) parts[blockIdx.x] = own[0];
}
__global__ void sum_parts(const double* parts, int n, double* result) {
    __shared__ double own[256];
    own[threadIdx.x] = threadIdx.x < n ? parts[threadIdx.x] : 0;
    for (int step = 128; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) own[threadIdx.x] += own[threadIdx.x + step];
    }
    if (threadIdx.x == 0) *result = own[0];
}
__global__ void waxpby(int n, double a, const double* x, double b, const double* y, double* w) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) w[i] = a * x[i] + b * y[i];
}

int main() {
    const int s = 60, n = s * s * s, parts = 200;
    int *first, *column;
    double *value, *b, *x, *r, *p, *ap, *part, *result;
    CHECK(cudaMalloc(&first, (n + 1) * 4));
    CHECK(cudaMalloc(&column, 27 * n * 4));
    CHECK(cudaMalloc(&value, 27 * n * 8));
    for (double** v : {&b, &x, &r, &p, &ap}) {
        CHECK(cudaMalloc(v, n * 8));
        CHECK(cudaMemset(*v, 0, n * 8));
    }
    CHECK(cudaMalloc(&part, parts * 8));
    CHECK(cudaHostAlloc(&result, 8, cudaHostAllocMapped));
    double* on_device;
    CHECK(cudaHostGetDevicePointer(&on_device, result, 0));
    double of_element[64];
    for (int a = 0; a < 8; ++a)
        for (int c = 0; c < 8; ++c) of_element[8 * a + c] = a == c ? 0.5 + 0.01 : (__builtin_popcount(a ^ c) == 1 ? 0.0 : __builtin_popcount(a ^ c) == 2 ? -1.0 / 8 : -1.0 / 8);
    CHECK(cudaMemcpyToSymbol(element, of_element, sizeof of_element));
    const int grid = (n + 255) / 256;
    Elapsed elapsed;
    pattern<<<(n + 256) / 256, 256>>>(s, first, column, value);
    assemble<<<((s - 1) * (s - 1) * (s - 1) + 127) / 128, 128>>>(s, first, column, value, b);
    auto dotted = [&](const double* u, const double* v) {
        dot<<<parts, 256>>>(n, u, v, part);
        sum_parts<<<1, 256>>>(part, parts, on_device);
        CHECK(cudaDeviceSynchronize());
        return *result;
    };
    waxpby<<<grid, 256>>>(n, 1, b, 0, b, r);
    waxpby<<<grid, 256>>>(n, 1, b, 0, b, p);
    double rr = dotted(r, r);
    const double begin = rr;
    int rounds = 0;
    for (; rounds < 30 && rr > 1e-20 * begin; ++rounds) {
        product<<<grid, 256>>>(n, first, column, value, p, ap);
        const double alpha = rr / dotted(p, ap);
        waxpby<<<grid, 256>>>(n, 1, x, alpha, p, x);
        waxpby<<<grid, 256>>>(n, 1, r, -alpha, ap, r);
        const double after = dotted(r, r);
        waxpby<<<grid, 256>>>(n, 1, r, after / rr, p, p);
        rr = after;
    }
    elapsed.print();
    std::vector<double> h(n), right(n), v(27 * (size_t)n);
    std::vector<int> c(27 * (size_t)n);
    CHECK(cudaMemcpy(h.data(), x, n * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(right.data(), b, n * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(v.data(), value, 27 * (size_t)n * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(c.data(), column, 27 * (size_t)n * 4, cudaMemcpyDeviceToHost));
    double left = 0;
    for (int row = 0; row < n; ++row) {
        double sum = right[row];
        for (int k = 0; k < 27; ++k) sum -= v[27 * (size_t)row + k] * h[c[27 * (size_t)row + k]];
        left += sum * sum;
    }
    digest("columns", c.data(), c.size() * 4);
    printf("rounds %d residual %.3e of %.3e\n", rounds, left, begin);
    return verdict(left < 1e-6 * begin || rr < begin * 1e-3, "finite_elements");
}
