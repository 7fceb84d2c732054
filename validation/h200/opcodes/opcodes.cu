// What instructions take of the issue slots and of their units: each alone and beside others, in loops of independent
// operations. Names say how many of each there are for every other.
#include "../kernels/common.cuh"

constexpr int chains = 8;

#define WIDE(i) asm volatile("{.reg .b32 l, h; mov.b64 {l, h}, %0; mad.wide.s32 %0, h, 12, %1;}" : "+l"(d[i]) : "l"(base));
#define HI(i) asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(a[i]) : "r"(b));
#define MAD(i) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(a[i]) : "r"(b), "r"(c));
#define FMA(i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[i]) : "f"(g));
#define FMA2(i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(h[i]) : "f"(g));
#define LOP(i) asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(e[i]) : "r"(b), "r"(c));
#define ADD(i) asm volatile("add.s32 %0, %0, %1;" : "+r"(e[i]) : "r"(b));
#define MIN(i) asm volatile("min.s32 %0, %0, %1;" : "+r"(e[i]) : "r"(b));
#define FMIN(i) asm volatile("min.f32 %0, %0, %1;" : "+f"(h[i]) : "f"(g));
#define DFMA(i) asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(q[i]) : "d"(p));
#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define MIX(X, Y) X(0) Y(0) X(1) Y(1) X(2) Y(2) X(3) Y(3) X(4) Y(4) X(5) Y(5) X(6) Y(6) X(7) Y(7)
#define MIX3(X, Y, Z) X(0) Y(0) Z(0) X(1) Y(1) Z(1) X(2) Y(2) Z(2) X(3) Y(3) Z(3) X(4) Y(4) Z(4) X(5) Y(5) Z(5) X(6) Y(6) Z(6) X(7) Y(7) Z(7)

#define BENCH(name, body)                                                                  \
    KERNEL name(int* out, int b, int c, float g, int rounds) {                             \
        int a[chains], e[chains];                                                          \
        long long d[chains];                                                               \
        float f[chains], h[chains];                                                        \
        double q[chains]; [[maybe_unused]] const double p = g;                                                           \
        for (int i = 0; i < chains; ++i) a[i] = e[i] = threadIdx.x + i, d[i] = static_cast<long long>(threadIdx.x + i) << 32, f[i] = h[i] = i, q[i] = i; \
        [[maybe_unused]] const long long base = reinterpret_cast<long long>(out + threadIdx.x); b += threadIdx.x & 1, c += threadIdx.x & 2, g += threadIdx.x & 3;                  \
        for (int k = 0; k < rounds; ++k) { body body body body }                           \
        int sum = 0;                                                                       \
        for (int i = 0; i < chains; ++i) sum += a[i] + e[i] + static_cast<int>(d[i] >> 32) + static_cast<int>(f[i] + h[i]) + static_cast<int>(q[i]); \
        out[global_x()] = sum;                                                             \
    }

BENCH(o_wide, ALL(WIDE))
BENCH(o_wide_ffma, MIX(WIDE, FMA))
BENCH(o_wide_ffma_ffma, MIX3(WIDE, FMA, FMA2))
BENCH(o_wide_lop, MIX(WIDE, LOP))
BENCH(o_wide_lop_ffma, MIX3(WIDE, LOP, FMA))
BENCH(o_hi, ALL(HI))
BENCH(o_hi_ffma, MIX(HI, FMA))
BENCH(o_hi_lop_ffma, MIX3(HI, LOP, FMA))
BENCH(o_mad, ALL(MAD))
BENCH(o_mad_ffma, MIX(MAD, FMA))
BENCH(o_mad_lop, MIX(MAD, LOP))
BENCH(o_mad_lop_ffma, MIX3(MAD, LOP, FMA))
BENCH(o_lop, ALL(LOP))
BENCH(o_lop_ffma, MIX(LOP, FMA))
BENCH(o_lop_ffma_ffma, MIX3(LOP, FMA, FMA2))
BENCH(o_add, ALL(ADD))
BENCH(o_add_ffma, MIX(ADD, FMA))
BENCH(o_min, ALL(MIN))
BENCH(o_fmin_ffma, MIX(FMIN, FMA))
BENCH(o_ffma, ALL(FMA))
BENCH(o_dfma, ALL(DFMA))
BENCH(o_dfma_ffma, MIX(DFMA, FMA))
BENCH(o_dfma_lop, MIX(DFMA, LOP))

// loads that hit L1, eight to a round, with so much arithmetic for each; no addresses are computed
template <int more>
__device__ void loads(const float* in, float* out, float g, int step, int rounds) {
    const float* at = in + threadIdx.x % 32;
    float f[8] = {}, sum[8] = {};
    for (int k = 0; k < rounds; ++k) {
        float v[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) asm volatile("ld.global.f32 %0, [%1];" : "=f"(v[i]) : "l"(at + 32 * i));
#pragma unroll
        for (int j = 0; j < more; ++j)
#pragma unroll
            for (int i = 0; i < 8; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[i]) : "f"(g));
#pragma unroll
        for (int i = 0; i < 8; ++i) sum[i] += v[i];
        at += step;  // 0, which the compiler does not know
    }
    float all = 0;
    for (int i = 0; i < 8; ++i) all += sum[i] + f[i];
    out[global_x()] = all;
}
KERNEL o_loads(const float* in, float* out, float g, int step, int rounds) { loads<0>(in, out, g, step, rounds); }
KERNEL o_loads_1(const float* in, float* out, float g, int step, int rounds) { loads<1>(in, out, g, step, rounds); }
KERNEL o_loads_3(const float* in, float* out, float g, int step, int rounds) { loads<3>(in, out, g, step, rounds); }

// the same from shared memory
template <int more>
__device__ void shared_loads(float* out, float g, int step, int rounds) {
    __shared__ float s[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) s[k] = k;
    __syncthreads();
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(s + threadIdx.x % 32));
    float f[8] = {}, sum[8] = {};
    for (int k = 0; k < rounds; ++k) {
        float v[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v[i]) : "r"(at + 128 * i));
#pragma unroll
        for (int j = 0; j < more; ++j)
#pragma unroll
            for (int i = 0; i < 8; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[i]) : "f"(g));
#pragma unroll
        for (int i = 0; i < 8; ++i) sum[i] += v[i];
        at += step;  // 0, which the compiler does not know
    }
    float all = 0;
    for (int i = 0; i < 8; ++i) all += sum[i] + f[i];
    out[global_x()] = all;
}
KERNEL o_shared(float* out, float g, int step, int rounds) { shared_loads<0>(out, g, step, rounds); }
KERNEL o_shared_1(float* out, float g, int step, int rounds) { shared_loads<1>(out, g, step, rounds); }
KERNEL o_shared_3(float* out, float g, int step, int rounds) { shared_loads<3>(out, g, step, rounds); }

// all warps of a block read the same new sector at the same time: the first brings it, the others wait for it
KERNEL o_same_sector(const float* in, float* out, int mask, int rounds) {
    int at = blockIdx.x * 8;
    float sum = 0;
    for (int k = 0; k < rounds; ++k) {
        const float v = in[at & mask];
        sum += v;
        at += 8 + (v == 3.0f);  // the next address waits for the value
    }
    out[global_x()] = sum;
}

// unaligned rows: every load takes parts of two lines; `step` 0 stays in L1, else each round has new lines
KERNEL o_unaligned(const float* in, float* out, int from, int step, int mask, int rounds) {
    int at = (blockIdx.x * blockDim.x + threadIdx.x) + from;
    float sum = 0;
    for (int k = 0; k < rounds; ++k) {
        sum += in[at & mask];
        at += step;
    }
    out[global_x()] = sum;
}

// reads and writes of whole rows by blocks of two dimensions, nothing else
KERNEL o_copy_blocks(const float* in, float* out, int n) {
    const int x = global_x(), y = global_y();
    out[y * n + x] = in[y * n + x];
}
// the same in place
KERNEL o_scale_blocks(float* a, int n, float g) {
    const int x = global_x(), y = global_y();
    a[y * n + x] *= g;
}
