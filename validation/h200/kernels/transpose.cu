// Transposes of square matrices by tiles of 32 by 32, with blocks of 32 by 8 threads.
#include "common.cuh"

constexpr int tile = 32, rows = 8;

KERNEL transpose_naive(const float* a, float* b, int n) {
    const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int k = 0; k < tile; k += rows) b[x * n + y + k] = a[(y + k) * n + x];
}

template <int pitch>
__device__ void by_shared(const float* a, float* b, int n) {
    __shared__ float part[tile * pitch];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int k = 0; k < tile; k += rows) part[(threadIdx.y + k) * pitch + threadIdx.x] = a[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * tile + threadIdx.x, y = blockIdx.x * tile + threadIdx.y;
    for (int k = 0; k < tile; k += rows) b[(y + k) * n + x] = part[threadIdx.x * pitch + threadIdx.y + k];
}

KERNEL transpose_shared(const float* a, float* b, int n) { by_shared<tile>(a, b, n); }      // 32-way bank conflicts
KERNEL transpose_padded(const float* a, float* b, int n) { by_shared<tile + 1>(a, b, n); }  // none
