// Memory of malloc is given back twice.
#include "check.h"

__global__ void twice() {
    void* memory = malloc(100);
    free(memory);
    free(memory);
}

int main() {
    twice<<<1, 1>>>();
    EXPECT(cudaDeviceSynchronize() != cudaSuccess);
    return 0;
}
