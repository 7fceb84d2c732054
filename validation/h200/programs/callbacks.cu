// Functions of the host in a stream, queries, and occupancy calls that choose the block.
#include "check.h"
__global__ void square(int* x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= x[i];
}
static void count(void* data) { ++*static_cast<int*>(data); }
int main() {
    const int n = 1 << 18;
    int blocks = 0, threads = 0, calls = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, square));
    std::vector<int> data(n), got(n);
    for (int i = 0; i < n; ++i) data[i] = i % 1000;
    int* d;
    CHECK(cudaMalloc(&d, n * 4));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMemcpyAsync(d, data.data(), n * 4, cudaMemcpyHostToDevice, stream));
    CHECK(cudaLaunchHostFunc(stream, count, &calls));
    square<<<blocks, threads, 0, stream>>>(d, n);
    CHECK(cudaLaunchHostFunc(stream, count, &calls));
    while (cudaStreamQuery(stream) == cudaErrorNotReady) {
    }
    CHECK(cudaMemcpy(got.data(), d, n * 4, cudaMemcpyDeviceToHost));
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, square));
    bool right = calls == 2 && threads >= 32 && attributes.numRegs > 0 && attributes.maxThreadsPerBlock == 1024;
    for (int i = 0; i < n; ++i) right &= got[i] == (i % 1000) * (i % 1000);
    return verdict(right, "callbacks");
}
