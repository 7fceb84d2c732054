// Products on registers alone, by format: sixteen of them a round, four that wait for each other.
#include "tensor.cuh"

#define PEAK(name, shape, type, kind) \
    KERNEL name(const U* in, type* out, int rounds) { \
        U a[4], b[2]; \
        type c[4][4] = {}; \
        for (int i = 0; i < 4; ++i) a[i] = in[threadIdx.x + i]; \
        b[0] = a[1] ^ 1, b[1] = a[2] ^ 1; \
        for (int r = 0; r < rounds; ++r) \
            for (int i = 0; i < 16; ++i) \
                asm volatile("mma.sync.aligned." shape " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" \
                             : kind(c[i % 4][0]), kind(c[i % 4][1]), kind(c[i % 4][2]), kind(c[i % 4][3]) \
                             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); \
        for (int i = 0; i < 16; ++i) c[0][0] += c[i / 4][i % 4]; \
        out[blockIdx.x * blockDim.x + threadIdx.x] = c[0][0]; \
    }
PEAK(x_peak_half, "m16n8k16.row.col.f32.f16.f16.f32", float, "+f")
PEAK(x_peak_bfloat, "m16n8k16.row.col.f32.bf16.bf16.f32", float, "+f")
PEAK(x_peak_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", float, "+f")
PEAK(x_peak_byte, "m16n8k32.row.col.s32.s8.s8.s32", int, "+r")
