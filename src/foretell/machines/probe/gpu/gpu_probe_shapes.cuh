// What requests of different shapes cost in L1 and in L2, where lines of L1 meet, and instructions of two kinds in turn.
#pragma once

#include "gpu_probe.cuh"

// ------------------------------------------------------------------------------------------- loads that hit L1

template <class T, int Offset>
__device__ __forceinline__ float loaded(const T* at) {
    float x, y = 0, z = 0, w = 0;
    if constexpr (sizeof(T) == 4)
        asm volatile("ld.global.ca.f32 %0, [%1+%2];" : "=f"(x) : "l"(at), "n"(Offset));
    else if constexpr (sizeof(T) == 8)
        asm volatile("ld.global.ca.v2.f32 {%0,%1}, [%2+%3];" : "=f"(x), "=f"(y) : "l"(at), "n"(Offset));
    else
        asm volatile("ld.global.ca.v4.f32 {%0,%1,%2,%3}, [%4+%5];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(at), "n"(Offset));
    return x + y + (z + w);
}

// Every warp reads one `T` a lane, lanes `stride` of them apart from `first` on, eight times a round at lines side by side.
// The sum goes to shared memory before the barrier, so that the clock is read after the last of the loads. `step` is zero,
// which the compiler does not know: it leaves the loads in the loop.
template <class T>
__global__ void __launch_bounds__(1024) hits(const T* data, unsigned stride, unsigned first, int rounds, int step, float* sink, long long* cycles) {
    __shared__ float kept[1024];
    const T* at = data + (threadIdx.x % 32) * stride + first;
    float sum = 0;
    for (int warm = 0; warm < 2; ++warm) {
        __syncthreads();
        const long long begin = clock64();
        for (int r = 0; r < rounds; ++r, at += step) {
            const float a = loaded<T, 0>(at), b = loaded<T, 128>(at), c = loaded<T, 256>(at), d = loaded<T, 384>(at);
            const float e = loaded<T, 512>(at), f = loaded<T, 640>(at), g = loaded<T, 768>(at), h = loaded<T, 896>(at);
            sum += (a + b) + (c + d) + ((e + f) + (g + h));
        }
        kept[threadIdx.x] = sum;
        __syncthreads();
        if (threadIdx.x == 0) cycles[0] = clock64() - begin;
    }
    if (kept[threadIdx.x ^ 1] == 1.25f) sink[0] = sum;
}

template <class T>
static void measure_hits(const char* width) {
    Buffer<T> data(65536 / sizeof(T));
    Buffer<float> sink(1);
    Buffer<long long> cycles(1);
    const unsigned shapes[][2] = {{0, 0}, {1, 0}, {1, 1}, {1, 4}, {1, 8}, {1, 16}, {1, 31}, {2, 0}, {2, 1}, {3, 0},
                                  {4, 0}, {5, 0}, {8, 0}, {16, 0}, {17, 0}, {32, 0}, {33, 0}};
    for (const auto& shape : shapes) {
        hits<T><<<1, 1024>>>(data, shape[0], shape[1], 256, 0, sink, cycles);
        const double taken = static_cast<double>(cycles.host()[0]) / (256 * 8 * 32);
        emit(std::string("shape.L1_load.") + width + "." + std::to_string(shape[0]) + "+" + std::to_string(shape[1]), taken, "cycle",
             "one load of a warp that hits L1, lanes so many elements apart, from that element on");
        if (sizeof(T) == 16 && shape[0] == 1 && shape[1] == 0)
            emit("level.L1.core_bandwidth", 512 / taken, "B/cycle", "loads of 16 B a lane that hit L1, nothing else in the loop");
    }
}

// ------------------------------------------------------------------------------------------- where lines of L1 meet

static void measure_lines_that_meet() {
    Buffer<unsigned> sink(1);
    Buffer<long long> cycles(1);
    for (unsigned apart : {128u, 1024u, 4096u, 8192u, 16384u, 65536u})
        for (unsigned count : {32u, 128u, 512u, 1024u, 1536u}) {
            Buffer<unsigned> next(static_cast<std::size_t>(count) * apart / 4);
            next.fill(random_cycle(count, apart / 4));
            chase<true><<<1, 1>>>(next, 0, static_cast<int>(8 * count), sink, cycles);
            emit("shape.L1_lines." + std::to_string(apart) + "." + std::to_string(count),
                 static_cast<double>(cycles.host()[0]) / (8.0 * count), "cycle", "chase through so many lines, so many bytes apart, eight times");
        }
}

// ------------------------------------------------------------------------------------------- requests of L2

// A request covers `Lines` lines, `Sectors` sectors of each; the lines lie `apart` lines from each other and the
// requests anywhere within the footprint. Kind: 0 load, 1 load past L1, 2 store, 3 a load and a store of another place.
template <int Lines, int Sectors, int Kind>
__global__ void __launch_bounds__(1024) requests(float* data, unsigned lines, unsigned apart, int rounds, float* sink) {
    constexpr unsigned of_line = 32 / Lines, of_sector = of_line / Sectors;
    const unsigned lane = threadIdx.x % 32, here = lane % of_line;
    const unsigned word = here / of_sector * 8 + here % of_sector % 8;
    const unsigned line = lane / of_line;
    unsigned at = (blockIdx.x * 32 + threadIdx.x / 32) * 2654435761u;
    float sum = 0;
    for (int r = 0; r < rounds; ++r) {
        float part[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            at = at * 1664525u + 1013904223u;
            float* place = data + (((at >> 8) + line * apart) & (lines - 1)) * 32 + word;
            if (Kind == 0) part[k] = __ldca(place);
            if (Kind == 1 || Kind == 3) part[k] = __ldcg(place);
            if (Kind == 2) *place = sum + k;
            if (Kind == 3) place[lines * 32] = sum + k;
        }
        if (Kind != 2)
#pragma unroll
            for (int k = 0; k < 4; ++k) sum += part[k];
    }
    if (sum == 1.25f) sink[0] = sum;
}

template <int Lines, int Sectors, int Kind>
static void measure_request(const char* name, unsigned apart, int multiprocessors, Buffer<float>& data, Buffer<float>& sink) {
    const unsigned lines = (16u << 20) / 128;
    const int rounds = Lines * Sectors > 16 ? 16 : 64;
    const double time = seconds([&] { requests<Lines, Sectors, Kind><<<multiprocessors * 2, 1024>>>(data, lines, apart, rounds, sink); });
    emit("shape.L2_" + std::string(name) + "." + std::to_string(Lines) + "x" + std::to_string(Sectors) + "." + std::to_string(apart),
         multiprocessors * 64.0 * 4 * rounds * Lines * Sectors / time, "1/s", "sectors of requests that hit L2, lines x sectors, lines so far apart");
}

template <int Lines, int Sectors>
static void measure_shape(int multiprocessors, Buffer<float>& data, Buffer<float>& sink) {
    for (unsigned apart : {1u, 64u}) {
        measure_request<Lines, Sectors, 0>("load", apart, multiprocessors, data, sink);
        measure_request<Lines, Sectors, 1>("load_past_L1", apart, multiprocessors, data, sink);
        measure_request<Lines, Sectors, 2>("store", apart, multiprocessors, data, sink);
        measure_request<Lines, Sectors, 3>("load_store", apart, multiprocessors, data, sink);
        if (Lines == 1) break;
    }
}

static void measure_requests_of_l2(int multiprocessors) {
    Buffer<float> data(2 * (16u << 20) / 4), sink(1);
    measure_shape<1, 4>(multiprocessors, data, sink);
    measure_shape<1, 2>(multiprocessors, data, sink);
    measure_shape<1, 1>(multiprocessors, data, sink);
    measure_shape<2, 4>(multiprocessors, data, sink);
    measure_shape<2, 2>(multiprocessors, data, sink);
    measure_shape<2, 1>(multiprocessors, data, sink);
    measure_shape<4, 4>(multiprocessors, data, sink);
    measure_shape<4, 2>(multiprocessors, data, sink);
    measure_shape<4, 1>(multiprocessors, data, sink);
    measure_shape<8, 4>(multiprocessors, data, sink);
    measure_shape<8, 1>(multiprocessors, data, sink);
    measure_shape<16, 1>(multiprocessors, data, sink);
    measure_shape<32, 1>(multiprocessors, data, sink);
}

// ------------------------------------------------------------------------------------------- two kinds in turn

template <class A, class B>
__global__ void __launch_bounds__(1024) in_turn(int rounds, const typename A::T* p, const typename B::T* q, typename A::T* sink_a,
                                                typename B::T* sink_b, long long* cycles) {
    typename A::T x[4];
    typename B::T y[4];
    const typename A::T a = p[0], b = p[1];
    const typename B::T c = q[0], d = q[1];
#pragma unroll
    for (int k = 0; k < 4; ++k) x[k] = p[2 + (threadIdx.x + k) % 32], y[k] = q[2 + (threadIdx.x + k) % 32];
    __syncthreads();
    const long long begin = clock64();
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < 32; ++k) A::step(x[k % 4], a, b), B::step(y[k % 4], c, d);
    __syncthreads();
    const long long end = clock64();
    if (threadIdx.x == 0) cycles[0] = end - begin;
    for (int k = 0; k < 4; ++k) sink_a[k * 1024 + threadIdx.x] = x[k], sink_b[k * 1024 + threadIdx.x] = y[k];
}

template <class A, class B>
static void measure_in_turn(const char* name) {
    Buffer<typename A::T> p(64), sink_a(4096);
    Buffer<typename B::T> q(64), sink_b(4096);
    Buffer<long long> cycles(1);
    double taken[2];
    for (int half = 0; half < 2; ++half) {
        in_turn<A, B><<<1, 1024>>>(64 << half, p, q, sink_a, sink_b, cycles);
        taken[half] = static_cast<double>(cycles.host()[0]);
    }
    emit(std::string("mix.") + name, (taken[1] - taken[0]) / (64 * 32 * 8.0), "cycle", "one instruction of each kind, 8 warps a scheduler");
}

OPERATION(Iadd, int, 1, 0, (void)b; asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(a));)
OPERATION(Wide, long long, 1, 0, asm volatile("mad.wide.s32 %0, %1, %2, %0;" : "+l"(x) : "r"((int)a), "r"((int)b));)
OPERATION(Double, float, 2, 0, (void)a; (void)b;
          asm volatile("{.reg .f64 d; cvt.f64.f32 d, %0; cvt.rn.f32.f64 %0, d;}" : "+f"(x));)
OPERATION(Half, float, 2, 0, (void)a; (void)b;
          asm volatile("{.reg .b16 h; cvt.rn.f16.f32 h, %0; cvt.f32.f16 %0, h;}" : "+f"(x));)
OPERATION(Fmax, float, 1, 0, (void)b; asm volatile("max.f32 %0, %0, %1;" : "+f"(x) : "f"(a));)

// A loop of `Length` independent instructions and its branch.
template <int Length>
__global__ void __launch_bounds__(1024) short_loop(int rounds, float a, float* sink, long long* cycles) {
    float x[8] = {a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7};
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < Length; ++k) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[k % 8]) : "f"(a));
    }
    __syncthreads();
    if (threadIdx.x == 0) cycles[0] = clock64() - begin;
    for (int k = 0; k < 8; ++k) sink[threadIdx.x * 8 + k] = x[k];
}

template <int Length>
static void measure_loop() {
    Buffer<float> sink(8192);
    Buffer<long long> cycles(1);
    for (int threads : {32, 256, 1024}) {
        short_loop<Length><<<1, threads>>>(1000, 1.0f, sink, cycles);
        emit("loop." + std::to_string(Length) + "." + std::to_string(threads), static_cast<double>(cycles.host()[0]) / 1000, "cycle",
             "one round of a loop of so many independent instructions, so many threads");
    }
}

static void measure_mixes() {
    measure_in_turn<Ffma, Imad>("ffma_imad"); measure_in_turn<Ffma, Lop3>("ffma_lop3");
    measure_in_turn<Imad, Lop3>("imad_lop3"); measure_in_turn<Ffma, Rsq>("ffma_mufu");
    measure_in_turn<Lop3, Rsq>("lop3_mufu"); measure_in_turn<Ffma, Dfma>("ffma_dfma");
    measure_in_turn<Imad, Dfma>("imad_dfma"); measure_in_turn<Lop3, Dfma>("lop3_dfma");
    measure_in_turn<Hfma2, Ffma>("hfma2_ffma"); measure_in_turn<Hfma2, Lop3>("hfma2_lop3");
    measure_in_turn<Ffma, Shfl>("ffma_shfl"); measure_in_turn<Ffma, Iadd>("ffma_iadd");
    measure_in_turn<Imad, Iadd>("imad_iadd"); measure_in_turn<Ffma, Popc>("ffma_popc");
    measure_in_turn<Iadd, Iadd>("iadd_iadd"); measure_in_turn<Ffma, Fmax>("ffma_fmax");
    measure_pipeline<Iadd>("iadd", 4); measure_pipeline<Wide>("imad_wide", 4);
    measure_pipeline<Double>("f2f_f64", 4); measure_pipeline<Half>("f2f_f16", 4);
    measure_loop<4>(); measure_loop<16>(); measure_loop<64>();
}

static void measure_shapes(int multiprocessors) {
    measure_hits<float>("4B");
    measure_hits<float2>("8B");
    measure_hits<float4>("16B");
    measure_lines_that_meet();
    measure_requests_of_l2(multiprocessors);
    measure_mixes();
}
