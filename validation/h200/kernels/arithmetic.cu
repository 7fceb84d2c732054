// Work of one unit: floating point in three widths, division, transcendentals, integers, divergent branches, and
// kernels whose occupancy or grid leaves the machine partly empty.
#include <cuda_fp16.h>

#include "common.cuh"

template <int chains, class T>
__device__ T chained(T seed, int rounds) {  // independent chains of multiply-adds
    T x[chains];
    for (int c = 0; c < chains; ++c) x[c] = seed + T(c);
    for (int k = 0; k < rounds; ++k)
#pragma unroll
        for (int c = 0; c < chains; ++c) x[c] = x[c] * T(0.999) + T(0.5);
    T sum = 0;
    for (int c = 0; c < chains; ++c) sum += x[c];
    return sum;
}

KERNEL fma_f32(float* a, int rounds) { a[global_x()] = chained<8>(a[global_x()], rounds); }
KERNEL fma_f32_chain(float* a, int rounds) { a[global_x()] = chained<1>(a[global_x()], rounds); }
KERNEL fma_f64(double* a, int rounds) { a[global_x()] = chained<4>(a[global_x()], rounds); }

KERNEL fma_f16x2(__half2* a, int rounds) {
    const __half2 scale = __float2half2_rn(0.999f), shift = __float2half2_rn(0.5f);
    __half2 x = a[global_x()], y = __hadd2(x, shift), z = __hadd2(y, shift), w = __hadd2(z, shift);
    for (int k = 0; k < rounds; ++k) {
        x = __hfma2(x, scale, shift), y = __hfma2(y, scale, shift);
        z = __hfma2(z, scale, shift), w = __hfma2(w, scale, shift);
    }
    a[global_x()] = __hadd2(__hadd2(x, y), __hadd2(z, w));
}

KERNEL divide_integers(const int* a, int* b, int divisor, int rounds, int n) {
    const int i = global_x();
    if (i >= n) return;
    int x = a[i], sum = 0;
    for (int k = 0; k < rounds; ++k) {
        sum += x % divisor;
        x = x / divisor + (k << 20);
    }
    b[i] = sum;
}

KERNEL roots(const float* a, float* b, int rounds, int n) {
    const int i = global_x();
    if (i >= n) return;
    float x = a[i];
    for (int k = 0; k < rounds; ++k) x = sqrtf(x) + 1.0f / (x + 1.0f);
    b[i] = x;
}

KERNEL waves(const float* a, float* b, int rounds, int n) {  // fast sine, exponential and logarithm
    const int i = global_x();
    if (i >= n) return;
    float x = a[i];
    for (int k = 0; k < rounds; ++k) x = __sinf(x) + __expf(-x) + __logf(x + 2.0f);
    b[i] = x;
}

KERNEL bits(const unsigned* a, unsigned* b, int rounds, int n) {  // xorshift and counted bits
    const int i = global_x();
    if (i >= n) return;
    unsigned x = a[i], sum = 0;
    for (int k = 0; k < rounds; ++k) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        sum += __popc(x);
    }
    b[i] = sum;
}

KERNEL divergent_lanes(float* a, int rounds) {  // each lane loops a number of times of its own
    const int i = global_x();
    float x = a[i];
    for (int k = 0; k < rounds * (1 + threadIdx.x % 8); ++k) x = x * 0.999f + 0.5f;
    a[i] = x;
}

KERNEL divergent_paths(const int* kind, float* a, int rounds) {  // four paths, chosen by data
    const int i = global_x();
    const int k = kind[i];
    float x = a[i];
    for (int r = 0; r < rounds; ++r) {
        if (k == 0) x = sqrtf(x) + 1;
        else if (k == 1) x = __expf(-x);
        else if (k == 2) x = x * x * 0.1f + 0.3f;
        else x = __sinf(x);
    }
    a[i] = x;
}

KERNEL triangle(const float* a, float* sums, int n) {  // row i has i + 1 elements: blocks do unlike work
    const int row = global_x();
    if (row >= n) return;
    float sum = 0;
    for (int k = 0; k <= row; ++k) sum += a[k * n + row];
    sums[row] = sum;
}

KERNEL big_shared(const float* a, float* b, int rounds, int words) {  // as much dynamic shared memory as the launch gives
    extern __shared__ float part[];
    for (int k = threadIdx.x; k < words; k += blockDim.x) part[k] = a[blockIdx.x * blockDim.x + k % blockDim.x];
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; ++r) sum += part[(threadIdx.x * 7 + r * 33) % words];
    b[global_x()] = sum;
}

KERNEL __launch_bounds__(128, 4) big_registers(const float* a, float* b, int rounds, int n) {  // 64 live values a thread
    const int i = global_x();
    float x[64];
#pragma unroll
    for (int k = 0; k < 64; ++k) x[k] = a[i + k * n];
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < 64; ++k) x[k] = x[k] * 0.5f + x[(k + 17) % 64];
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 64; ++k) sum += x[k];
    b[i] = sum;
}

KERNEL spilled(const int* index, const float* a, float* b, int rounds) {  // an array in local memory, indexed by data
    const int i = global_x();
    float x[32];
    for (int k = 0; k < 32; ++k) x[k] = a[i] + k;
    for (int r = 0; r < rounds; ++r) x[(index[i] + r) % 32] += x[(index[i] + 3 * r) % 32];
    float sum = 0;
    for (int k = 0; k < 32; ++k) sum += x[k];
    b[i] = sum;
}

KERNEL barriers(float* a, int rounds) {  // little work between barriers
    __shared__ float part[1024];
    float x = a[global_x()];
    for (int r = 0; r < rounds; ++r) {
        part[threadIdx.x] = x;
        __syncthreads();
        x += part[(threadIdx.x + 32) % blockDim.x];
        __syncthreads();
    }
    a[global_x()] = x;
}

KERNEL conflicts(float* a, int rounds, int stride) {  // shared memory read with a stride
    __shared__ float part[4096];
    for (int k = threadIdx.x; k < 4096; k += blockDim.x) part[k] = a[k];
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; ++r) sum += part[(threadIdx.x * stride + r) % 4096];
    a[4096 + global_x()] = sum;
}

KERNEL shared_copy(float4* a, int rounds) {  // shared memory at full width
    __shared__ float4 part[512];
    part[threadIdx.x] = a[global_x()];
    part[threadIdx.x + 256] = part[threadIdx.x];
    __syncthreads();
    float4 sum = {0, 0, 0, 0};
    for (int r = 0; r < rounds; ++r) {
        const float4 v = part[(threadIdx.x + r) % 512];
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
    a[global_x()] = sum;
}

KERNEL atomics_spread(int* counters, int rounds, int n) {  // each thread on an address of its own
    const int i = global_x();
    for (int r = 0; r < rounds; ++r) atomicAdd(&counters[(i + r * 4096) % n], 1);
}
