// Loops that differ in one thing each: what a multiprocessor takes to fetch, issue and branch. Names say what differs.
#include "../kernels/common.cuh"

#define REPEAT4(X) X X X X
#define REPEAT16(X) REPEAT4(X) REPEAT4(X) REPEAT4(X) REPEAT4(X)
#define FMA(i) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(f[i]) : "f"(g), "f"(h));
#define OWN(i) asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(f[i]) : "f"(x[i]), "f"(y[i]));
#define LOP(i) asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(e[i]) : "r"(b), "r"(c));
#define MAD(i) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(e[i]) : "r"(b), "r"(c));
#define SIN(i) asm volatile("sin.approx.f32 %0, %0;" : "+f"(y[i]));
#define CONVERT(i) asm volatile("{.reg .s32 t; cvt.rni.s32.f32 t, %0; cvt.rn.f32.s32 %0, t;}" : "+f"(y[i]));
#define MUL64(i) asm volatile("mad.lo.s64 %0, %0, %1, %1;" : "+l"(d[i]) : "l"(w));
#define SHUFFLE(i) asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+f"(y[i]));
#define VOTE(i) asm volatile("{.reg .pred p; setp.gt.f32 p, %1, 0f00000000; vote.sync.ballot.b32 %0, p, -1;}" : "=r"(e[i]) : "f"(y[i]));
#define COUNT(i) asm volatile("popc.b32 %0, %0;" : "+r"(e[i]));
#define OFF(i) asm volatile("{.reg .pred p; setp.gt.s32 p, %1, 0; @p fma.rn.f32 %0, %0, %0, %0;}" : "+f"(y[i]) : "r"(b));
#define CHOOSE(i) asm volatile("{.reg .pred p; setp.gt.f32 p, %0, %1; selp.f32 %0, %1, %0, p;}" : "+f"(y[i]) : "f"(g));
#define DFMA(i) asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(q[i]) : "d"(p));
#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define WITH(X, Y) X(0) Y(0) X(1) Y(1) X(2) Y(2) X(3) Y(3) X(4) Y(4) X(5) Y(5) X(6) Y(6) X(7) Y(7)

#define BENCH(name, body)                                                                                       \
    KERNEL name(int* out, int b, int c, float g, float h, int rounds) {                                         \
        int e[8];                                                                                               \
        long long d[8], w = b * 1000003ll;                                                                      \
        float f[8], x[8], y[8];                                                                                 \
        double q[8], p = g;                                                                                     \
        for (int i = 0; i < 8; ++i) e[i] = threadIdx.x + i, d[i] = e[i], f[i] = i, x[i] = e[i] * g, y[i] = e[i] * h, q[i] = i; \
        b += threadIdx.x & 1, c += threadIdx.x & 2, g += threadIdx.x & 3, h += threadIdx.x & 4;                 \
        _Pragma("unroll 1") for (int k = 0; k < rounds; ++k) { body }                                           \
        float sum = 0;                                                                                          \
        for (int i = 0; i < 8; ++i) sum += f[i] + x[i] + y[i] + e[i] + d[i] + static_cast<float>(q[i]);         \
        out[global_x()] = static_cast<int>(sum + w + p);                                                        \
    }

// the length of the code, in products: 8 to 16384
BENCH(l_code_8, ALL(FMA))
BENCH(l_code_32, REPEAT4(ALL(FMA)))
BENCH(l_code_128, REPEAT16(ALL(FMA)))
BENCH(l_code_512, REPEAT4(REPEAT16(ALL(FMA))))
BENCH(l_code_1024, REPEAT4(REPEAT16(ALL(FMA))) REPEAT4(REPEAT16(ALL(FMA))))
BENCH(l_code_2048, REPEAT16(REPEAT16(ALL(FMA))))
BENCH(l_code_4096, REPEAT16(REPEAT16(ALL(FMA))) REPEAT16(REPEAT16(ALL(FMA))))
BENCH(l_code_8192, REPEAT4(REPEAT16(REPEAT16(ALL(FMA)))))

// operands, and instructions of other units beside products
BENCH(l_own, REPEAT4(ALL(OWN)))
BENCH(l_own_lop, REPEAT4(WITH(OWN, LOP)))
BENCH(l_own_mad, REPEAT4(WITH(OWN, MAD)))
BENCH(l_sin, REPEAT4(ALL(SIN)))
BENCH(l_sin_own, REPEAT4(WITH(SIN, FMA) ALL(FMA) ALL(FMA)))
BENCH(l_convert, REPEAT4(ALL(CONVERT)))
BENCH(l_convert_fma, REPEAT4(WITH(CONVERT, FMA) ALL(FMA)))
BENCH(l_mul64, REPEAT4(ALL(MUL64)))
BENCH(l_mul64_lop, REPEAT4(WITH(MUL64, LOP)))
BENCH(l_shuffle, REPEAT4(ALL(SHUFFLE)))
BENCH(l_shuffle_fma, REPEAT4(WITH(SHUFFLE, FMA)))
BENCH(l_vote, REPEAT4(ALL(VOTE)))
BENCH(l_count, REPEAT4(ALL(COUNT)))
BENCH(l_off, REPEAT4(ALL(OFF)))
BENCH(l_choose, REPEAT4(ALL(CHOOSE)))
BENCH(l_dfma_own, REPEAT4(WITH(DFMA, OWN)))
BENCH(l_dfma_2, REPEAT4(WITH(DFMA, FMA) ALL(FMA)))
BENCH(l_dfma_mad, REPEAT4(WITH(DFMA, MAD)))

// branches: none, taken, some lanes
KERNEL l_jumps(int* out, int b, int c, float g, float h, int rounds) {
    float f = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < rounds; ++k)
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            if (b & 1 << j) asm volatile("fma.rn.f32 %0, %0, %1, %1; fma.rn.f32 %0, %0, %1, %1; fma.rn.f32 %0, %0, %1, %1; fma.rn.f32 %0, %0, %1, %1; fma.rn.f32 %0, %0, %1, %1; fma.rn.f32 %0, %0, %1, %1; fma.rn.f32 %0, %0, %1, %1; fma.rn.f32 %0, %0, %1, %1; fma.rn.f32 %0, %0, %1, %1;" : "+f"(f) : "f"(g));
            asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f) : "f"(h));
        }
    out[global_x()] = static_cast<int>(f) + c;
}
KERNEL l_part(int* out, int b, int c, float g, float h, int rounds) {
    float f = threadIdx.x;
    int state = threadIdx.x * 2654435761u;
#pragma unroll 1
    for (int k = 0; k < rounds; ++k) {
        state = state * 1664525 + 1013904223;
        if ((state >> 24 & 7) < b) f = sqrtf(f * g + h);
        else f = f * h + __expf(g * f) + c;
    }
    out[global_x()] = static_cast<int>(f);
}
KERNEL l_lanes(int* out, int b, int c, float g, float h, int rounds) {  // loops of b to b + c rounds within a warp
    float f = threadIdx.x;
    const int mine = b + (threadIdx.x * 7 & c);
#pragma unroll 1
    for (int k = 0; k < rounds; ++k)
#pragma unroll 1
        for (int j = 0; j < mine; ++j) f = f * g + h;
    out[global_x()] = static_cast<int>(f);
}
KERNEL l_double_divide(double* out, int n, double a, int rounds) {
    double f[4];
    for (int i = 0; i < 4; ++i) f[i] = threadIdx.x + i + 1.5;
#pragma unroll 1
    for (int k = 0; k < rounds; ++k)
        for (int i = 0; i < 4; ++i) f[i] = a / f[i] + 1.0;
    out[global_x()] = f[0] + f[1] + f[2] + f[3] + n;
}
KERNEL l_double_root(double* out, int n, double a, int rounds) {
    double f[4];
    for (int i = 0; i < 4; ++i) f[i] = threadIdx.x + i + 1.5;
#pragma unroll 1
    for (int k = 0; k < rounds; ++k)
        for (int i = 0; i < 4; ++i) f[i] = sqrt(f[i]) + a;
    out[global_x()] = f[0] + f[1] + f[2] + f[3] + n;
}
KERNEL l_integer_divide(int* out, int b, int c, float g, float h, int rounds) {
    unsigned f = threadIdx.x * 7919 + 12345, s = 0;
#pragma unroll 1
    for (int k = 0; k < rounds; ++k) {
        s += f / (b + k);
        f = f % (c + k) + s * 77;
    }
    out[global_x()] = s + f + static_cast<int>(g + h);
}
__constant__ float table[4096];
KERNEL l_constants(int* out, int b, int c, float g, float h, int rounds) {  // c 0: one word a warp; else a word for each lane
    float f = h;
    int at = b + (threadIdx.x * c & 1023);
#pragma unroll 4
    for (int k = 0; k < rounds; ++k) {
        f = f * g + table[at & 4095];
        at += 1;
    }
    out[global_x()] = static_cast<int>(f);
}
