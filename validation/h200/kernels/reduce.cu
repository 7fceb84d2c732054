// Reductions and scans of blocks, in shared memory, by shuffles and with atomics.
#include "common.cuh"

KERNEL reduce_shared(const float* a, float* sums, int n) {  // blocks of 256
    __shared__ float part[256];
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = global_x(); i < n; i += gridDim.x * 256) sum += a[i];
    part[t] = sum;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) part[t] += part[t + half];
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

KERNEL reduce_interleaved(const float* a, float* sums, int n) {  // diverges at every step, with bank conflicts
    __shared__ float part[256];
    const int t = threadIdx.x, i = global_x();
    part[t] = i < n ? a[i] : 0;
    for (int step = 1; step < 256; step *= 2) {
        __syncthreads();
        const int k = 2 * step * t;
        if (k < 256) part[k] += part[k + step];
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

__device__ inline float warp_sum(float value) {
    for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(~0u, value, d);
    return value;
}

KERNEL reduce_shuffle(const float* a, float* sums, int n) {
    __shared__ float part[32];
    float sum = 0;
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) sum += a[i];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warp_sum(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0);
        if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    }
}

KERNEL reduce_atomic(const float* a, float* total, int n) {  // one atomic a warp, all on one address
    const int i = global_x();
    const float sum = warp_sum(i < n ? a[i] : 0);
    if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

KERNEL dot_f64(const double* a, const double* b, double* sums, int n) {
    double sum = 0;
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) sums[global_x() / 32] = sum;
}

KERNEL scan_shared(const int* a, int* b, int n) {  // Hillis and Steele, blocks of 512
    __shared__ int part[2][512];
    const int t = threadIdx.x, i = global_x();
    int from = 0;
    part[0][t] = i < n ? a[i] : 0;
    for (int d = 1; d < 512; d *= 2, from ^= 1) {
        __syncthreads();
        part[from ^ 1][t] = part[from][t] + (t >= d ? part[from][t - d] : 0);
    }
    __syncthreads();
    if (i < n) b[i] = part[from][t];
}

KERNEL scan_tree(const int* a, int* b, int n) {  // Blelloch: up and down a tree, 512 values by 256 threads
    __shared__ int part[512];
    const int t = threadIdx.x, start = blockIdx.x * 512;
    part[2 * t] = a[start + 2 * t];
    part[2 * t + 1] = a[start + 2 * t + 1];
    int step = 1;
    for (int d = 256; d > 0; d /= 2, step *= 2) {
        __syncthreads();
        if (t < d) part[step * (2 * t + 2) - 1] += part[step * (2 * t + 1) - 1];
    }
    if (t == 0) part[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        step /= 2;
        __syncthreads();
        if (t < d) {
            const int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1, value = part[left];
            part[left] = part[right];
            part[right] += value;
        }
    }
    __syncthreads();
    b[start + 2 * t] = part[2 * t];
    b[start + 2 * t + 1] = part[2 * t + 1];
}

KERNEL scan_shuffle(const int* a, int* b, int n) {
    __shared__ int sums[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = global_x();
    int value = i < n ? a[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(~0u, value, d);
        if (lane >= d) value += other;
    }
    if (lane == 31) sums[warp] = value;
    __syncthreads();
    for (int w = 0; w < warp; ++w) value += sums[w];
    if (i < n) b[i] = value;
}
