// Sorting, scanning, counting, choosing: integers, votes and atomics.
#include "../kernels/common.cuh"
#include <cuda_fp16.h>

KERNEL bitonic_step(unsigned* key, int distance, int size) {  // one exchange of the whole array
    const int i = global_x(), low = (i & ~(distance - 1)) * 2 | (i & (distance - 1)), high = low | distance;
    const unsigned a = key[low], b = key[high];
    const bool up = (low & size) == 0;
    key[low] = up ? min(a, b) : max(a, b);
    key[high] = up ? max(a, b) : min(a, b);
}

KERNEL bitonic_block(const unsigned* in, unsigned* out) {  // blocks of 512 sort 1024 keys
    __shared__ unsigned key[1024];
    const int first = blockIdx.x * 1024, i = threadIdx.x;
    key[i] = in[first + i];
    key[i + 512] = in[first + i + 512];
    for (int size = 2; size <= 1024; size <<= 1)
        for (int distance = size >> 1; distance; distance >>= 1) {
            __syncthreads();
            const int low = (i & ~(distance - 1)) * 2 | (i & (distance - 1)), high = low | distance;
            const unsigned a = key[low], b = key[high];
            const bool swap = (a > b) == ((low & size) == 0);
            key[low] = swap ? b : a;
            key[high] = swap ? a : b;
        }
    __syncthreads();
    out[first + i] = key[i];
    out[first + i + 512] = key[i + 512];
}

KERNEL radix_count(const unsigned* key, unsigned* counts, int shift, int n) {  // 256 digits, blocks of 256
    __shared__ unsigned digit[256];
    digit[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 4096 + threadIdx.x; i < min(n, static_cast<int>(blockIdx.x + 1) * 4096); i += 256)
        atomicAdd(&digit[key[i] >> shift & 255], 1u);
    __syncthreads();
    counts[threadIdx.x * gridDim.x + blockIdx.x] = digit[threadIdx.x];
}

KERNEL segmented_scan(const float* value, const int* head, float* out) {  // warps of 32; a head begins anew
    const int i = global_x(), lane = threadIdx.x & 31;
    float sum = value[i];
    const unsigned heads = __ballot_sync(~0u, head[i] < 8) | 1u;
    const int start = 31 - __clz(heads & (~0u >> (31 - lane)));
#pragma unroll
    for (int step = 1; step < 32; step <<= 1) {
        const float other = __shfl_up_sync(~0u, sum, step);
        if (lane - step >= start) sum += other;
    }
    out[i] = sum;
}

KERNEL compact(const int* in, int* out, unsigned* used, int below, int n) {  // one atomic for each warp
    const int i = global_x(), lane = threadIdx.x & 31;
    const int value = i < n ? in[i] : below;
    const unsigned chosen = __ballot_sync(~0u, value < below);
    unsigned first = 0;
    if (lane == 0 && chosen) first = atomicAdd(used, __popc(chosen));
    first = __shfl_sync(~0u, first, 0);
    if (value < below) out[(first + __popc(chosen & ((1u << lane) - 1))) % n] = value;
}

KERNEL maximum_u64(const unsigned long long* in, unsigned long long* out, int n) {
    unsigned long long most = 0;
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) most = max(most, in[i]);
    for (int step = 16; step; step >>= 1) most = max(most, __shfl_xor_sync(~0u, most, step));
    if ((threadIdx.x & 31) == 0) atomicMax(out, most);
}

KERNEL sum_halves(const uint4* in, float* out, int n) {  // eight halves a load
    float sum = 0;
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) {
        const uint4 eight = in[i];
        const unsigned words[4] = {eight.x, eight.y, eight.z, eight.w};
        __half2 part = __float2half2_rn(0.0f);
#pragma unroll
        for (int k = 0; k < 4; ++k) part = __hadd2(part, *reinterpret_cast<const __half2*>(&words[k]));
        const float2 both = __half22float2(part);
        sum += both.x + both.y;
    }
    for (int step = 16; step; step >>= 1) sum += __shfl_down_sync(~0u, sum, step);
    if ((threadIdx.x & 31) == 0) out[global_x() >> 5] = sum;
}

KERNEL histogram_image(const uchar4* pixel, unsigned* bins, int n) {  // three colours; each warp its own counters
    extern __shared__ unsigned own[];
    for (int k = threadIdx.x; k < 768 * (blockDim.x >> 5); k += blockDim.x) own[k] = 0;
    __syncthreads();
    unsigned* mine = own + (threadIdx.x >> 5) * 768;
    for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) {
        const uchar4 one = pixel[i];
        atomicAdd(mine + one.x, 1u);
        atomicAdd(mine + 256 + one.y, 1u);
        atomicAdd(mine + 512 + one.z, 1u);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 768; k += blockDim.x) {
        unsigned sum = 0;
        for (int warp = 0; warp < blockDim.x >> 5; ++warp) sum += own[warp * 768 + k];
        if (sum) atomicAdd(bins + k, sum);
    }
}

KERNEL sieve(unsigned* composite, int roots) {  // a block marks 8192 odd numbers, in shared memory
    __shared__ unsigned marks[256];
    marks[threadIdx.x] = 0;
    __syncthreads();
    const unsigned low = blockIdx.x * 16384 + 1;
    for (int k = threadIdx.x; k < roots; k += 256) {
        const unsigned p = 2 * k + 3;
        unsigned at = max(p * p, (low + p - 1) / p * p);
        if ((at & 1) == 0) at += p;
        for (; at < low + 16384; at += 2 * p) atomicOr(&marks[(at - low) >> 6], 1u << ((at - low) >> 1 & 31));
    }
    __syncthreads();
    composite[blockIdx.x * 256 + threadIdx.x] = marks[threadIdx.x];
}

KERNEL binary_search(const int* sorted, const int* wanted, int* place, int n) {
    const int target = wanted[global_x()];
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) >> 1;
        if (sorted[middle] < target) low = middle + 1;
        else high = middle;
    }
    place[global_x()] = low;
}
