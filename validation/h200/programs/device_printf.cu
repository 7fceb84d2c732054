// printf on the device, variables of the device, and a function chosen by a table.
#include "check.h"
__device__ int counter;
__device__ float table[4] = {1.5f, 2.5f, 3.5f, 4.5f};
__global__ void speak(int n) {
    if (threadIdx.x < n) printf("block %d thread %d: %g\n", blockIdx.x, threadIdx.x, table[threadIdx.x % 4]);
    atomicAdd(&counter, 1);
}
int main() {
    float more[2] = {20.0f, 30.0f};
    CHECK(cudaMemcpyToSymbol(table, more, sizeof more, sizeof(float)));
    speak<<<2, 64>>>(3);
    CHECK(cudaDeviceSynchronize());
    int count = 0;
    CHECK(cudaMemcpyFromSymbol(&count, counter, 4));
    void* address = nullptr;
    size_t bytes = 0;
    CHECK(cudaGetSymbolAddress(&address, table));
    CHECK(cudaGetSymbolSize(&bytes, table));
    float got[4];
    CHECK(cudaMemcpy(got, address, bytes, cudaMemcpyDeviceToHost));
    return verdict(count == 128 && bytes == 16 && got[0] == 1.5f && got[1] == 20.0f && got[3] == 4.5f, "device_printf");
}
