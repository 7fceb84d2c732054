// Chains of loads from constant tables, and lanes that go different ways, each with one thing changed.
// Launches are written by jumps.py (validation/h200/run.cu runs them); times are in jumps.jsonl.
#define KERNEL extern "C" __global__ void
__constant__ unsigned table[16384];

// a chain of constants by an index of each lane: so many addresses in a warp, the next one known from the one before
KERNEL m_chain(unsigned* out, int addresses, int stride, int rounds)
{
    unsigned k = (threadIdx.x & (addresses - 1)) * stride;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int u = 0; u < 4; ++u) k ^= table[k & 16383];
    out[blockIdx.x * blockDim.x + threadIdx.x] = k;
}
// words of a table at random, other ones in each warp: `addresses` of a warp, the table has mask + 1 words
KERNEL m_apart(unsigned* out, int addresses, int mask, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned k = ((i & ~31u) | (i & (addresses - 1))) * 2654435761u + 12345u, f = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int u = 0; u < 4; ++u) {
            k = k * 1664525u + 1013904223u;
            f += table[k >> 12 & mask];
        }
    out[i] = f;
}
#define WORK(c) asm volatile("fma.rn.f32 %0, %0, %1, " c ";\n\tfma.rn.f32 %0, %0, %1, " c ";\n\tfma.rn.f32 %0, %0, %1, " c ";\n\tfma.rn.f32 %0, %0, %1, " c ";\n\tfma.rn.f32 %0, %0, %1, " c ";\n\tfma.rn.f32 %0, %0, %1, " c ";\n\tfma.rn.f32 %0, %0, %1, " c ";\n\tfma.rn.f32 %0, %0, %1, " c ";" : "+f"(v) : "f"(g));
// two, four and eight ways by conditions: lane / 2^shift, masked, is its way
KERNEL m_forks(float* out, int shift, int mask, int rounds, float g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, w = i >> shift & mask;
    float v = g + i;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        if (w & 1) {
            if (w & 2) {
                if (w & 4) { WORK("0f3F800000") } else { WORK("0f3F800001") }
            } else {
                if (w & 4) { WORK("0f3F800002") } else { WORK("0f3F800003") }
            }
        } else {
            if (w & 2) {
                if (w & 4) { WORK("0f3F800004") } else { WORK("0f3F800005") }
            } else {
                if (w & 4) { WORK("0f3F800006") } else { WORK("0f3F800007") }
            }
        }
    }
    out[i] = v;
}
// one condition that some lanes meet, without another way
KERNEL m_aside(float* out, int shift, int mask, int rounds, float g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, w = i >> shift & mask;
    float v = g + i;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        if (w) { WORK("0f3F800000") }
        WORK("0f3F800001")
    }
    out[i] = v;
}
// loops of one to `most` rounds within a warp
KERNEL m_ends(float* out, int most, int rounds, float g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, mine = 1 + (threadIdx.x * 7 & most - 1);
    float v = g + i;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll 1
        for (int j = 0; j < mine; ++j) { WORK("0f3F800001") }
    out[i] = v;
}
