// A mipmapped array, which foretell does not have. Not among the measured programs.
#include "check.h"
int main() {
    cudaMipmappedArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(64, 64, 0), 3));
    return 0;
}
