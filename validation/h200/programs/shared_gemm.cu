// Matrix product with 64 KiB of dynamic shared memory, which a kernel must ask for.
#include "check.h"
const int tile = 64;
__global__ void gemm(const float* a, const float* b, float* c, int n) {
    extern __shared__ float part[];
    float *as = part, *bs = part + 2 * tile * tile;
    const int row = blockIdx.y * tile, column = blockIdx.x * tile;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += 2 * tile) {
        for (int i = threadIdx.x; i < 2 * tile * tile; i += blockDim.x) {
            as[i] = a[(row + i / (2 * tile)) * n + k + i % (2 * tile)];
            bs[i] = b[(k + i / tile) * n + column + i % tile];
        }
        __syncthreads();
        for (int kk = 0; kk < 2 * tile; ++kk)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sum[i][j] += as[(threadIdx.x / 16 + 16 * i) * 2 * tile + kk] * bs[kk * tile + threadIdx.x % 16 + 16 * j];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            c[(row + threadIdx.x / 16 + 16 * i) * n + column + threadIdx.x % 16 + 16 * j] = sum[i][j];
}
int main() {
    const int n = 512, bytes = 4 * tile * tile * 4;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    Random random(13);
    for (float& v : a) v = random.real() - 0.5f;
    for (float& v : b) v = random.real() - 0.5f;
    float *da, *db, *dc;
    for (auto p : {&da, &db, &dc}) CHECK(cudaMalloc(p, n * n * 4));
    CHECK(cudaMemcpy(da, a.data(), n * n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b.data(), n * n * 4, cudaMemcpyHostToDevice));
    gemm<<<dim3(n / tile, n / tile), 256, bytes>>>(da, db, dc, n);
    bool right = cudaGetLastError() == cudaErrorInvalidValue;  // more than 48 KiB, without asking
    CHECK(cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    Elapsed time;
    gemm<<<dim3(n / tile, n / tile), 256, bytes>>>(da, db, dc, n);
    time.print();
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c.data(), dc, n * n * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i += 37)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += static_cast<double>(a[i * n + k]) * b[k * n + j];
            right &= fabs(c[i * n + j] - sum) < 1e-3;
        }
    return verdict(right, "shared_gemm");
}
