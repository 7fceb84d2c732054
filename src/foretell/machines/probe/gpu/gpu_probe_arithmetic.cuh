// Arithmetic pipelines: cycles of an instruction in a chain and side by side, and what all multiprocessors reach.
#pragma once

#include "gpu_probe.cuh"

// One instruction x = f(x, a, b), of two different registers but for Ffma3, which may wait for register ports; `count` instructions of the class in one step, `flops` of one thread in one step.
#define OPERATION(NAME, TYPE, COUNT, FLOPS, CODE)                                              \
    struct NAME {                                                                              \
        using T = TYPE;                                                                        \
        static constexpr int count = COUNT;                                                    \
        static constexpr double flops = FLOPS;                                                 \
        static __device__ __forceinline__ void step(T& x, const T a, const T b) { CODE }       \
    };

OPERATION(Ffma, float, 1, 2, (void)b; asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(a));)
OPERATION(Ffma3, float, 1, 2, asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));)
OPERATION(Fadd, float, 1, 1, (void)b; asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));)
OPERATION(Fmul, float, 1, 1, (void)b; asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));)
OPERATION(Imad, int, 1, 0, (void)b; asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(x) : "r"(a));)
OPERATION(Lop3, int, 1, 0, asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(x) : "r"(a), "r"(b));)
OPERATION(Shf, int, 1, 0, asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));)
OPERATION(Prmt, int, 1, 0, asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));)
OPERATION(Imnmx, int, 2, 0,
          asm volatile("min.s32 %0, %0, %1;\n\tmax.s32 %0, %0, %2;" : "+r"(x) : "r"(a), "r"(b));)
OPERATION(Setp, int, 2, 0,
          asm volatile("{.reg .pred p; setp.gt.s32 p, %0, %1; selp.s32 %0, %2, %1, p;}"
                       : "+r"(x) : "r"(a), "r"(b));)
OPERATION(Popc, int, 1, 0, (void)a; (void)b; asm volatile("popc.b32 %0, %0;" : "+r"(x));)
OPERATION(Convert, int, 2, 0, (void)a; (void)b;
          asm volatile("{.reg .f32 f; cvt.rn.f32.s32 f, %0; cvt.rzi.s32.f32 %0, f;}" : "+r"(x));)
OPERATION(Rsq, float, 1, 1, (void)a; (void)b; asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));)
OPERATION(Ex2, float, 1, 1, (void)a; (void)b; asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));)
OPERATION(Dfma, double, 1, 2, (void)b; asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(x) : "d"(a));)
OPERATION(Dadd, double, 1, 1, (void)b; asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(a));)
OPERATION(Hfma2, int, 1, 4, asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));)
OPERATION(Shfl, int, 1, 0, (void)a; (void)b;
          asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(x));)

// 16x8x16 half-precision matrix product with single-precision sums; one chain in four registers.
struct alignas(16) Sums {
    float v[4];
};
struct Hmma {
    using T = Sums;
    static constexpr int count = 1;
    static constexpr double flops = 2.0 * 16 * 8 * 16 / 32;
    static __device__ __forceinline__ void step(T& x, const T& a, const T& b) {
        const unsigned* m = reinterpret_cast<const unsigned*>(a.v);
        const unsigned* n = reinterpret_cast<const unsigned*>(b.v);
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(x.v[0]), "+f"(x.v[1]), "+f"(x.v[2]), "+f"(x.v[3])
            : "r"(m[0]), "r"(m[1]), "r"(m[2]), "r"(m[3]), "r"(n[0]), "r"(n[1]));
    }
};

constexpr int unrolled = 64;

template <class Op, int Chains>
__global__ void __launch_bounds__(1024) arithmetic(int rounds, const typename Op::T* input, typename Op::T* sink, long long* cycles) {
    typename Op::T x[Chains];
    const typename Op::T a = input[0], b = input[1];
#pragma unroll
    for (int c = 0; c < Chains; ++c) x[c] = input[2 + (threadIdx.x + c) % 32];
    __syncthreads();
    const long long begin = clock64();
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < unrolled / Chains; ++k)
#pragma unroll
            for (int c = 0; c < Chains; ++c) Op::step(x[c], a, b);
    }
    __syncthreads();
    const long long end = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = end - begin;
    for (int c = 0; c < Chains; ++c) sink[c * 1024 + threadIdx.x] = x[c];  // every chain is wanted, or it is dropped
}

// Cycles of one step: the difference of two loop lengths leaves out what happens once.
template <class Op, int Chains>
static double step_cycles(int threads) {
    Buffer<typename Op::T> input(64), sink(4 * 1024);
    Buffer<long long> cycles(1);
    std::vector<double> found;
    for (int run = 0; run < 7; ++run) {
        double taken[2];
        for (int half = 0; half < 2; ++half) {
            arithmetic<Op, Chains><<<1, threads>>>(32 << half, input, sink, cycles);
            taken[half] = static_cast<double>(cycles.host()[0]);
        }
        found.push_back((taken[1] - taken[0]) / (32.0 * unrolled));
    }
    return median(found);
}

template <class Op>
static void measure_pipeline(const char* name, int schedulers) {
    const std::string path = std::string("pipeline.") + name;
    const double latency = step_cycles<Op, 1>(32) / Op::count;
    emit(path + ".latency", latency, "cycle", "dependent chain of one warp");
    // 32 warps of four chains each: cycles between two instructions of one scheduler
    const double step = step_cycles<Op, 4>(1024) / Op::count;
    emit(path + ".gap", step / (32.0 / schedulers), "cycle", "32 warps of 4 chains on one multiprocessor");
}

template <class Op>
static void measure_peak(const char* name, int multiprocessors) {
    Buffer<typename Op::T> input(64), sink(4 * 1024);
    Buffer<long long> cycles(1);
    const int blocks = multiprocessors * 2, rounds = 4096;
    const double time = seconds([&] { arithmetic<Op, 4><<<blocks, 1024>>>(rounds, input, sink, cycles); });
    const double flops = Op::flops * unrolled * rounds * 1024.0 * blocks;
    emit(std::string("peak.") + name, flops / time, "flop/s", "every multiprocessor, 64 warps of 4 chains");
}

static void measure_pipelines(int n) {
    measure_pipeline<Ffma3>("ffma_3_registers", n);
    measure_pipeline<Ffma>("ffma", n); measure_pipeline<Fadd>("fadd", n);
    measure_pipeline<Fmul>("fmul", n); measure_pipeline<Imad>("imad", n);
    measure_pipeline<Lop3>("lop3", n); measure_pipeline<Shf>("shf", n);
    measure_pipeline<Prmt>("prmt", n); measure_pipeline<Imnmx>("imnmx", n);
    measure_pipeline<Setp>("isetp_sel", n); measure_pipeline<Popc>("popc", n);
    measure_pipeline<Convert>("i2f_f2i", n); measure_pipeline<Rsq>("mufu_rsq", n);
    measure_pipeline<Ex2>("mufu_ex2", n); measure_pipeline<Dfma>("dfma", n);
    measure_pipeline<Dadd>("dadd", n); measure_pipeline<Hfma2>("hfma2", n);
    measure_pipeline<Hmma>("hmma", n); measure_pipeline<Shfl>("shfl", n);
}
