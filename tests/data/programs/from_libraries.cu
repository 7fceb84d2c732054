// A library with the runtime in it, for programs that load it; variables, constants and managed memory are registered by
// its constructors.
#include "check.h"

__device__ int total;
__constant__ int factor;
__managed__ int offset = 3;

__global__ void add(const int* values, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) atomicAdd(&total, factor * values[i] + offset);
}

extern "C" int sum(const int* values, int count, int by) {
    int *there, result = 0;
    CHECK(cudaMalloc(&there, count * sizeof(int)));
    CHECK(cudaMemcpy(there, values, count * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(factor, &by, sizeof by));
    CHECK(cudaMemcpyToSymbol(total, &result, sizeof result));
    add<<<(count + 127) / 128, 128>>>(there, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyFromSymbol(&result, total, sizeof result));
    CHECK(cudaFree(there));
    return result;
}
