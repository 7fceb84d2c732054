// A device-side assertion fails in one thread: the next call that waits gives error 710, and nothing can be done on the device afterwards.
#include <cassert>

#include "../user-programs/digest.h"

__global__ void bounded(const int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) assert(data[i] < 1000);
}
int main() {
    const int n = 4096;
    int* data;
    std::vector<int> in(n, 7);
    in[2345] = 1000;
    CHECK(cudaMalloc(&data, n * 4));
    CHECK(cudaMemcpy(data, in.data(), n * 4, cudaMemcpyHostToDevice));
    bounded<<<n / 128, 128>>>(data, n);
    const cudaError_t launched = cudaGetLastError(), waited = cudaDeviceSynchronize(), after = cudaMemcpy(in.data(), data, 4, cudaMemcpyDeviceToHost);
    printf("launch %d, wait %d, copy %d\n", launched, waited, after);
    return verdict(launched == cudaSuccess && waited == cudaErrorAssert && after == cudaErrorAssert, "asserting");
}
