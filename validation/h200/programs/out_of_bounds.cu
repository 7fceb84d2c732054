// Writes beyond the end of an array: the next call that waits fails. Not among the measured programs.
#include "check.h"
__global__ void fill(int* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) x[i] = i;  // one too many
}
int main() {
    int* d;
    CHECK(cudaMalloc(&d, 1024 * 4));
    fill<<<5, 256>>>(d, 1024);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s\n", cudaGetErrorName(cudaFree(d)));
    return 0;
}
