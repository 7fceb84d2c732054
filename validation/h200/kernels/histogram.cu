// Histograms of 256 bins; what the data hold decides how often lanes meet on one bin.
#include "common.cuh"

KERNEL histogram_global(const int* keys, int* bins, int n) {
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[keys[i]], 1);
}

KERNEL histogram_shared(const int* keys, int* bins, int n) {  // blocks of 256
    __shared__ int part[256];
    part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&part[keys[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}
