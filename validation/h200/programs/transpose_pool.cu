// Memory from a pool, ordered in a stream; transposition in tiles, checked by transposing back.
#include "check.h"
__global__ void transpose(const float* in, float* out, int n) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
int main() {
    const int n = 1024, bytes = n * n * 4;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    std::vector<float> data(n * n), got(n * n);
    for (int i = 0; i < n * n; ++i) data[i] = i;
    float *a, *b;
    CHECK(cudaMallocAsync(&a, bytes, stream));
    CHECK(cudaMallocAsync(&b, bytes, stream));
    CHECK(cudaMemcpyAsync(a, data.data(), bytes, cudaMemcpyHostToDevice, stream));
    dim3 block(32, 8), grid(n / 32, n / 32);
    transpose<<<grid, block, 0, stream>>>(a, b, n);
    CHECK(cudaMemcpyAsync(got.data(), b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    bool right = true;
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) right &= got[y * n + x] == data[x * n + y];
    transpose<<<grid, block, 0, stream>>>(b, a, n);
    CHECK(cudaMemcpyAsync(got.data(), a, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    right &= got == data;
    CHECK(cudaFreeAsync(a, stream));
    CHECK(cudaFreeAsync(b, stream));
    return verdict(right, "transpose_pool");
}
