// What copies and sets leave in L2: kernels that read an array, each with a name that says what was done before; run under the
// profiler with the time and the bytes that came from memory, caches left alone.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CHECK(call) do { if ((call) != cudaSuccess) { printf("line %d\n", __LINE__); exit(2); } } while (0)
__device__ inline void read(const float4* x, float* out, int n) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { const float4 v = x[i]; sum += v.x + v.y + v.z + v.w; }
    if (sum == 12345.678f) *out = sum;
}
#define READER(name) __global__ void name(const float4* x, float* out, int n) { read(x, out, n); }
READER(after_itself) READER(after_flush) READER(after_pinned) READER(after_pageable) READER(after_set) READER(after_copy_within) READER(after_copied_from) READER(after_pieces)
int main() {
    const size_t most = size_t(256) << 20;
    char *d, *e, *f, *pinned, *pageable = (char*)malloc(most);
    float* out;
    CHECK(cudaMalloc(&d, most)); CHECK(cudaMalloc(&e, most)); CHECK(cudaMalloc(&f, most)); CHECK(cudaMalloc(&out, 4)); CHECK(cudaMallocHost(&pinned, most));
    memset(pageable, 1, most); memset(pinned, 1, most);
    for (size_t n : {size_t(1) << 18, size_t(2) << 20, size_t(8) << 20, size_t(24) << 20, size_t(48) << 20}) {
        const int count = n / 16, grid = n < (1 << 20) ? 64 : 264;
        auto flush = [&] { CHECK(cudaMemset(e, 1, most)); CHECK(cudaMemset(f, 2, most)); CHECK(cudaDeviceSynchronize()); };
        auto x = (const float4*)d;
        for (int round = 0; round < 2; ++round) {
            flush(); after_flush<<<grid, 512>>>(x, out, count); CHECK(cudaDeviceSynchronize());
            after_itself<<<grid, 512>>>(x, out, count); CHECK(cudaDeviceSynchronize());
            flush(); CHECK(cudaMemcpy(d, pinned, n, cudaMemcpyHostToDevice)); after_pinned<<<grid, 512>>>(x, out, count); CHECK(cudaDeviceSynchronize());
            flush(); CHECK(cudaMemcpy(d, pageable, n, cudaMemcpyHostToDevice)); after_pageable<<<grid, 512>>>(x, out, count); CHECK(cudaDeviceSynchronize());
            flush(); CHECK(cudaMemset(d, 1, n)); after_set<<<grid, 512>>>(x, out, count); CHECK(cudaDeviceSynchronize());
            flush(); CHECK(cudaMemcpy(d, d + most / 2, n, cudaMemcpyDeviceToDevice)); after_copy_within<<<grid, 512>>>(x, out, count); CHECK(cudaDeviceSynchronize());
            flush(); CHECK(cudaMemcpy(d + most / 2, d, n, cudaMemcpyDeviceToDevice)); after_copied_from<<<grid, 512>>>(x, out, count); CHECK(cudaDeviceSynchronize());
            flush(); for (size_t at = 0; at < n; at += n / 8) CHECK(cudaMemcpy(d + at, pageable + at, n / 8, cudaMemcpyHostToDevice));
            after_pieces<<<grid, 512>>>(x, out, count); CHECK(cudaDeviceSynchronize());
        }
    }
}
