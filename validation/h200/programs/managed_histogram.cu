// Managed memory, written by the host and by the device in turn; atomics in shared and global memory.
#include "check.h"
__managed__ unsigned total;
__global__ void histogram(const unsigned char* data, int n, unsigned* bins) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[data[i]], 1u);
    __syncthreads();
    if (own[threadIdx.x]) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
    if (threadIdx.x == 0) atomicAdd(&total, 1u);
}
int main() {
    const int n = 1 << 22, blocks = 264;
    unsigned char* data;
    unsigned *bins, expected[256] = {};
    CHECK(cudaMallocManaged(&data, n));
    CHECK(cudaMallocManaged(&bins, 256 * 4));
    Random random(11);
    for (int i = 0; i < n; ++i) ++expected[data[i] = random.next() % 256];
    for (int i = 0; i < 256; ++i) bins[i] = 0;
    total = 0;
    histogram<<<blocks, 256>>>(data, n, bins);
    CHECK(cudaDeviceSynchronize());
    bool right = total == blocks;
    for (int i = 0; i < 256; ++i) right &= bins[i] == expected[i];
    CHECK(cudaFree(data));
    CHECK(cudaFree(bins));
    return verdict(right, "managed_histogram");
}
