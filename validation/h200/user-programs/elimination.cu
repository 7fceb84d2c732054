// Gaussian elimination with a launch or two for each column, then back substitution, as teaching code has it.
#include "digest.h"

__global__ void multipliers(const float* a, float* m, int n, int column) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x + column + 1;
    if (row < n) m[row] = a[size_t(row) * n + column] / a[size_t(column) * n + column];
}
__global__ void eliminate(float* a, float* b, const float* m, int n, int column) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x + column, y = blockIdx.y * blockDim.y + threadIdx.y + column + 1;
    if (x >= n || y >= n) return;
    a[size_t(y) * n + x] -= m[y] * a[size_t(column) * n + x];
    if (x == column) b[y] -= m[y] * b[column];
}
__global__ void substitute(const float* a, float* b, int n) {
    __shared__ float own;
    for (int row = n - 1; row >= 0; --row) {
        if (threadIdx.x == 0) own = b[row] = b[row] / a[size_t(row) * n + row];
        __syncthreads();
        for (int y = threadIdx.x; y < row; y += blockDim.x) b[y] -= a[size_t(y) * n + row] * own;
        __syncthreads();
    }
}

int main(int count, char** given) {
    const int n = count > 1 ? atoi(given[1]) : 256;
    Random random(3);
    std::vector<float> a(n * n), b(n), x(n);
    for (float& value : a) value = random.real();
    for (int i = 0; i < n; ++i) a[i * n + i] += n, x[i] = 1 + i % 5;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) b[i] += a[i * n + j] * x[j];
    float *d_a, *d_b, *d_m;
    CHECK(cudaMalloc((void**)&d_a, n * n * sizeof(float)));
    CHECK(cudaMalloc((void**)&d_b, n * sizeof(float)));
    CHECK(cudaMalloc((void**)&d_m, n * sizeof(float)));
    CHECK(cudaMemcpy(d_a, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    Elapsed elapsed;
    for (int column = 0; column < n - 1; ++column) {
        const int left = n - column;
        multipliers<<<(left + 255) / 256, 256>>>(d_a, d_m, n, column);
        eliminate<<<dim3((left + 15) / 16, (left + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_m, n, column);
    }
    substitute<<<1, 512>>>(d_a, d_b, n);
    CHECK(cudaGetLastError());
    elapsed.print();
    CHECK(cudaMemcpy(b.data(), d_b, n * sizeof(float), cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < n; ++i) right &= near(b[i], x[i], 1e-3);
    digest("solution", b.data(), n * sizeof(float));
    return verdict(right, "elimination");
}
