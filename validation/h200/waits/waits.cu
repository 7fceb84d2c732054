// Loops whose warps wait for one thing each: tables in constant memory, barriers of one block, code that no cache holds.
#include "../kernels/common.cuh"

// Tables in constant memory that all warps walk through in the same order: one word of each 16 bytes, all of them, one of each line of 64 bytes.
__constant__ float4 table[4096];
KERNEL l_walk(float* out, int n, int rounds, float g) {
    float f = threadIdx.x;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll 4
        for (int k = 0; k < n; ++k) f = f * g + table[k].x;
    out[global_x()] = f;
}
KERNEL l_walk_all(float* out, int n, int rounds, float g) {
    float f = threadIdx.x, e = g;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll 4
        for (int k = 0; k < n; ++k) {
            f = f * table[k].x + table[k].y;
            e = e * table[k].z + table[k].w;
        }
    out[global_x()] = f + e;
}
KERNEL l_walk_lines(float* out, int n, int rounds, float g) {
    float f = threadIdx.x;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll 4
        for (int k = 0; k < n; ++k) f = f * g + table[4 * k].x;
    out[global_x()] = f;
}
// the same by an index in a register, of all lanes the same (LDC, not ULDC)
KERNEL l_walk_index(float* out, int n, int rounds, float g) {
    float f = threadIdx.x;
    int from = threadIdx.x / 2048;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll 4
        for (int k = 0; k < n; ++k) f = f * g + table[k + from].x;
    out[global_x()] = f;
}

// Barriers with a chain of products between them.
template <int length, bool shared> __device__ inline void meet(float* out, int rounds, float g) {
    __shared__ float s[1024];
    float f = threadIdx.x;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int u = 0; u < 4; ++u) {
#pragma unroll
            for (int k = 0; k < length; ++k) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f) : "f"(g));
            if (shared) {
                s[threadIdx.x] = f;
                __syncthreads();
                f += s[threadIdx.x ^ 1];
            }
            __syncthreads();
        }
    out[global_x()] = f;
}
#define MEET(length) \
    KERNEL l_meet_##length(float* out, int rounds, float g) { meet<length, false>(out, rounds, g); } \
    KERNEL l_meet_shared_##length(float* out, int rounds, float g) { meet<length, true>(out, rounds, g); }
MEET(1) MEET(4) MEET(16) MEET(64)
