// A prefix sum in one cooperative launch: blocks wait for each other between its phases.
#include <cooperative_groups.h>
#include "check.h"
namespace cg = cooperative_groups;
__global__ void scan(const int* in, int* out, int* sums, int n) {
    cg::grid_group grid = cg::this_grid();
    const int per = (n + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * per, end = min(begin + per, n);
    __shared__ int part[256];
    int own = 0;
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) own += in[i];
    part[threadIdx.x] = own;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
    grid.sync();
    int before = 0;
    for (int b = threadIdx.x; b < blockIdx.x; b += blockDim.x) before += sums[b];
    part[threadIdx.x] = before;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    int carry = part[0];
    __syncthreads();
    for (int base = begin; base < end; base += 256) {
        int i = base + threadIdx.x, value = i < end ? in[i] : 0;
        part[threadIdx.x] = value;
        __syncthreads();
        for (int step = 1; step < 256; step *= 2) {
            int add = threadIdx.x >= step ? part[threadIdx.x - step] : 0;
            __syncthreads();
            part[threadIdx.x] += add;
            __syncthreads();
        }
        if (i < end) out[i] = carry + part[threadIdx.x];
        carry += part[255];
        __syncthreads();
    }
}
int main() {
    int n = 1 << 20, device = 0, supported = 0, blocks = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scan, 256, 0));
    blocks = std::min(blocks, 2) * properties.multiProcessorCount;
    std::vector<int> data(n), got(n);
    for (int i = 0; i < n; ++i) data[i] = (i * 7 + 3) % 11 - 5;
    int *in, *out, *sums;
    CHECK(cudaMalloc(&in, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMalloc(&sums, blocks * 4));
    CHECK(cudaMemcpy(in, data.data(), n * 4, cudaMemcpyHostToDevice));
    void* arguments[] = {&in, &out, &sums, &n};
    Elapsed time;
    CHECK(cudaLaunchCooperativeKernel(scan, dim3(blocks), dim3(256), arguments));
    time.print();
    CHECK(cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost));
    bool right = supported == 1;
    int sum = 0;
    for (int i = 0; i < n; ++i) right &= got[i] == (sum += data[i]);
    return verdict(right, "cooperative_scan");
}
