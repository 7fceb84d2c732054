// Asks for more memory than any GPU has. Not among the measured programs.
#include "check.h"
int main() {
    void* d = nullptr;
    size_t free = 0, total = 0;
    CHECK(cudaMemGetInfo(&free, &total));
    cudaError_t error = cudaMalloc(&d, total + 1);
    printf("%s\n", cudaGetErrorName(error));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    return error == cudaErrorMemoryAllocation ? 7 : 1;
}
