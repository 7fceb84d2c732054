// Loops that each change one thing: tables in constant memory that warps walk through with work in between, and switches.
// Launches are in walks.toml (validation/h200/run.cu runs them).
#define KERNEL extern "C" __global__ void
__constant__ float table[16384];

template <int work> __device__ inline void walk(float* out, int n, int rounds, float g)
{
    float f = threadIdx.x, e = g;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll 4
        for (int k = 0; k < n; ++k) {
            f = f * g + table[k];
#pragma unroll
            for (int w = 0; w < work; ++w) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(e) : "f"(g));
        }
    out[blockIdx.x * blockDim.x + threadIdx.x] = f + e;
}
KERNEL m_walk_0(float* out, int n, int rounds, float g) { walk<0>(out, n, rounds, g); }
KERNEL m_walk_1(float* out, int n, int rounds, float g) { walk<1>(out, n, rounds, g); }
KERNEL m_walk_4(float* out, int n, int rounds, float g) { walk<4>(out, n, rounds, g); }
KERNEL m_walk_16(float* out, int n, int rounds, float g) { walk<16>(out, n, rounds, g); }
KERNEL m_walk_64(float* out, int n, int rounds, float g) { walk<64>(out, n, rounds, g); }
// the same with a load from memory beside each constant
KERNEL m_walk_load(const float* in, float* out, int n, int rounds, float g)
{
    float f = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll 4
        for (int k = 0; k < n; ++k) f += in[i + k] * table[k];
    out[i] = f;
}
// eight ways through a switch: lane / 2^shift, masked, is its way
template <bool special> __device__ inline void ways(float* out, int shift, int mask, int rounds, float g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, w = i >> shift & mask;
    float v = g + i;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
        if (special) switch (w) {
            case 0: v = sqrtf(v) + 1; break;
            case 1: v = __expf(-v); break;
            case 2: v = v * v - 0.5f; break;
            case 3: v = 1 / (v + 2); break;
            case 4: v = __logf(v + 3); break;
            case 5: v = __sinf(v); break;
            case 6: v = fminf(v, 0.5f) + 0.1f; break;
            default: v = fabsf(v - 1);
        }
        else switch (w) {
            case 0: v = v * 1.1f + g; break;
            case 1: v = v * v + 1; break;
            case 2: v = v * g - 0.5f; break;
            case 3: v = v + 2 * g; break;
            case 4: v = v * 0.5f + 3; break;
            case 5: v = g - v; break;
            case 6: v = fminf(v, 0.5f) + 0.1f; break;
            default: v = fabsf(v - 1);
        }
    out[i] = v;
}
KERNEL m_ways(float* out, int shift, int mask, int rounds, float g) { ways<false>(out, shift, mask, rounds, g); }
KERNEL m_special_ways(float* out, int shift, int mask, int rounds, float g) { ways<true>(out, shift, mask, rounds, g); }
// a jump through a table that all lanes take together, without anything else: one way of four in turn
KERNEL m_turns(float* out, int rounds, float g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = g + i;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) switch (r & 7) {
            case 0: v = v * 1.1f + g; break;
            case 1: v = v * v + 1; break;
            case 2: v = v * g - 0.5f; break;
            case 3: v = v + 2 * g; break;
            case 4: v = v * 0.5f + 3; break;
            case 5: v = g - v; break;
            case 6: v = fminf(v, 0.5f) + 0.1f; break;
            default: v = fabsf(v - 1);
        }
    out[i] = v;
}
// constants by an index of each lane: (lane & mask) * stride, one or two words, alone or with loads from shared memory beside
template <int words, bool beside> __device__ inline void lanes(float* out, int mask, int stride, int rounds, float g)
{
    __shared__ float s[1024];
    s[threadIdx.x] = g;
    __syncthreads();
    int k = (threadIdx.x & mask) * stride & 511, j = threadIdx.x;
    float f = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int u = 0; u < 4; ++u) {
            if (words == 2) {
                float2 v = *(const float2*)(table + (k & 510));
                f += v.x * v.y;
            } else {
                f += table[k];
            }
            if (beside) f += s[j] * s[j ^ 32], j ^= 64 * (f == 1e30f);
            k = k + (f == 1e30f);
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = f;
}
KERNEL m_lanes_1(float* out, int mask, int stride, int rounds, float g) { lanes<1, false>(out, mask, stride, rounds, g); }
KERNEL m_lanes_2(float* out, int mask, int stride, int rounds, float g) { lanes<2, false>(out, mask, stride, rounds, g); }
KERNEL m_lanes_shared(float* out, int mask, int stride, int rounds, float g) { lanes<1, true>(out, mask, stride, rounds, g); }
// constants at addresses that differ in each lane and round, as tables of ciphers and checksums are read; `few`: of so many lanes
KERNEL m_random(float* out, int mask, int few, int rounds, float g)
{
    unsigned k = (threadIdx.x & few) * 2654435761u + 12345u;
    float f = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int u = 0; u < 4; ++u) {
            k = k * 1664525u + 1013904223u;
            f += table[k >> 12 & mask];
        }
    out[blockIdx.x * blockDim.x + threadIdx.x] = f * g;
}
