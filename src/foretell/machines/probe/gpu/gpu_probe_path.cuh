// The path of one multiprocessor to memory, scattered accesses, long code, and what stands between two kernels.
#pragma once

#include "gpu_probe.cuh"

// ------------------------------------------------------------------------------------------- stores

// Every warp writes one word a lane, `stride` words apart; all stay within 16 KiB.
__global__ void __launch_bounds__(1024) request(float* data, unsigned stride, int rounds, long long* cycles) {
    for (int warm = 0; warm < 2; ++warm) {
        __syncthreads();
        const long long begin = clock64();
        for (int r = 0; r < rounds; ++r)
#pragma unroll
            for (int k = 0; k < 8; ++k)
                asm volatile("st.global.f32 [%0], %1;" ::"l"(data + ((threadIdx.x % 32) * stride + 32 * k) % 4096), "f"(1.0f));
        __syncthreads();
        if (threadIdx.x == 0) cycles[0] = clock64() - begin;
    }
}

static void measure_requests() {
    Buffer<float> data(4096);
    Buffer<long long> cycles(1);
    for (unsigned stride : {0u, 1u, 2u, 4u, 8u, 16u, 32u, 128u}) {
        request<<<1, 1024>>>(data, stride, 64, cycles);
        emit("path.store." + std::to_string(stride), static_cast<double>(cycles.host()[0]) / (64 * 8 * 32), "cycle",
             "one store of a warp, lanes so many words apart, one multiprocessor");
    }
}

// ------------------------------------------------------------------------------------------- beyond L1

// Loads of 4 B at random, `Many` of each thread in flight.
template <int Many>
__global__ void __launch_bounds__(256) gather(const float* data, unsigned mask, int rounds, float* sink) {
    unsigned at = (blockIdx.x * 256 + threadIdx.x) * 2654435761u;
    float sum = 0;
    for (int r = 0; r < rounds; ++r) {
        float part[Many];
#pragma unroll
        for (int k = 0; k < Many; ++k) {
            at = at * 1664525u + 1013904223u;
            part[k] = __ldcg(data + ((at ^ at >> 15) & mask));
        }
#pragma unroll
        for (int k = 0; k < Many; ++k) sum += part[k];
    }
    if (sum == 1.25f) sink[0] = sum;
}

// One word of every `stride` is read.
__global__ void __launch_bounds__(256) strided(const float* data, std::size_t count, unsigned stride, float* sink) {
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * 256 + threadIdx.x;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * 256;
    float sum = 0;
#pragma unroll 4
    for (std::size_t i = first; i < count / stride; i += step) sum += __ldcg(data + i * stride);
    if (sum == 1.25f) sink[0] = sum;
}

static void measure_beyond(int multiprocessors) {
    const std::size_t count = 1ull << 30;
    Buffer<float> data(count), sink(1);
    for (unsigned bits : {21u, 23u, 30u}) {
        const double time = seconds([&] { gather<8><<<multiprocessors * 8, 256>>>(data, (1u << bits) - 1, 64, sink); });
        emit("path.gather." + std::to_string((4ull << bits) >> 20) + "MiB", multiprocessors * 8 * 256.0 * 64 * 8 / time, "1/s",
             "random words past L1, 8 of a thread in flight");
    }
    for (unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
        const double time = seconds([&] { strided<<<multiprocessors * 8, 256>>>(data, count, stride, sink); });
        emit("path.strided." + std::to_string(stride), static_cast<double>(count / stride) / time, "1/s",
             "words past L1, so many words apart, over 4 GiB");
    }
    for (int active : {1, 8, 33, 66, 132}) {
        if (active > multiprocessors) break;
        const auto* wide = reinterpret_cast<const float4*>(static_cast<float*>(data));
        const std::size_t part = (16ull << 20) / sizeof(float4);
        const double near = seconds([&] { read_many<<<active, 256>>>(wide, wide, nullptr, part, 4); });
        emit("path.L2_by_multiprocessors." + std::to_string(active), 4.0 * 16 * part / near, "B/s",
             "16 MiB past L1, one block of 256 threads on each, 64 B in flight a thread");
        const double far = seconds([&] { read_many<<<active, 256>>>(wide, wide, nullptr, count / 64, 1); });
        emit("path.memory_by_multiprocessors." + std::to_string(active), 16.0 * (count / 64) / far, "B/s",
             "256 MiB past L1, one block of 256 threads on each, 64 B in flight a thread");
    }
}

// ------------------------------------------------------------------------------------------- long code

// A loop of `Length` instructions that depend on nothing near, four warps.
template <int Length>
__global__ void __launch_bounds__(128) long_code(int rounds, float a, float* sink, long long* cycles) {
    float x[8] = {a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7};
    long long taken = 0;
    for (int warm = 0; warm < 2; ++warm) {
        __syncthreads();
        const long long begin = clock64();
#pragma unroll 1
        for (int r = 0; r < rounds; ++r) {
#pragma unroll
            for (int k = 0; k < Length; ++k) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[k % 8]) : "f"(a));
        }
        taken = clock64() - begin;
    }
    if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = taken;
    for (int k = 0; k < 8; ++k) sink[threadIdx.x * 8 + k] = x[k];
}

template <int Length>
static void measure_code(int multiprocessors) {
    Buffer<float> sink(1024);
    Buffer<long long> cycles(1);
    const int rounds = 65536 / Length;
    long_code<Length><<<multiprocessors, 128>>>(rounds, 1.0f, sink, cycles);
    emit("path.code." + std::to_string(Length * 16 / 1024) + "KiB", static_cast<double>(cycles.host()[0]) / rounds / Length,
         "cycle", "one instruction of a loop of so much code, one warp on each scheduler");
}

static void measure_long_code(int multiprocessors) {
    measure_code<512>(multiprocessors);
    measure_code<1024>(multiprocessors);
    measure_code<2048>(multiprocessors);
    measure_code<4096>(multiprocessors);
    measure_code<8192>(multiprocessors);
    measure_code<16384>(multiprocessors);
}

// ------------------------------------------------------------------------------------------- blocks and kernels

__global__ void spin(long long how_long) {
    const long long begin = clock64();
    while (clock64() - begin < how_long) {
    }
}

static void measure_between(int multiprocessors) {
    const double brief = seconds([&] { spin<<<multiprocessors, 128>>>(40'000); }, 200);
    const double twice = seconds([&] { spin<<<multiprocessors, 128>>>(80'000); }, 200);
    emit("sync.between", 2 * brief - twice, "s", "from the last cycle of one kernel to the first of the next in a row");
    for (int threads : {32, 128, 256, 512, 1024}) {
        const double wave = seconds([&] { spin<<<multiprocessors * 256, threads>>>(0); }, 4);
        emit("sync.block_start." + std::to_string(threads), wave / 256, "s",
             "one empty block of so many threads on every multiprocessor, in a long row");
    }
}

static void measure_path(int multiprocessors) {
    measure_requests();
    measure_beyond(multiprocessors);
    measure_long_code(multiprocessors);
    measure_between(multiprocessors);
}
