// Launches of few blocks, atomics and gathers by frequency, shared memory of other blocks of a cluster, and the clock under load; one JSON
// line each.
//
//     nvcc -O3 -std=c++17 -arch=sm_90 -o rates rates.cu && ./rates > rates.jsonl
#include <cooperative_groups.h>
#include <mma.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

namespace cg = cooperative_groups;

static void check(cudaError_t s, const char* what) {
    if (s != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(s)), cudaGetLastError();
}
__device__ inline std::uint64_t nanoseconds() { std::uint64_t v; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(v)); return v; }
__global__ void wait(std::uint64_t length) {
    const std::uint64_t start = nanoseconds();
    while (nanoseconds() - start < length) {}
}
static double seconds(const std::function<void()>& work, int times = 1, int repeats = 5) {
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    std::vector<double> t;
    work();
    for (int r = 0; r < repeats; ++r) {
        wait<<<1, 1>>>(20'000 + 5'000 * times);
        cudaEventRecord(a);
        for (int k = 0; k < times; ++k) work();
        cudaEventRecord(b);
        check(cudaEventSynchronize(b), "run");
        float ms = 0;
        cudaEventElapsedTime(&ms, a, b);
        t.push_back(ms * 1e-3 / times);
    }
    std::sort(t.begin(), t.end());
    return t[t.size() / 2];
}
__device__ inline unsigned now() { unsigned v; asm volatile("mov.u32 %0, %%clock;" : "=r"(v)::"memory"); return v; }
__device__ inline unsigned hashed(unsigned x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// ---- launches of few blocks
__global__ void nothing() {}
__global__ void nothing_shared() { extern __shared__ int s[]; if (threadIdx.x > 2000) s[0] = 1; }
__global__ void scale(float* x, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 1.0001f; }
__global__ void scale_read(const float* __restrict__ x, float* y, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] * 1.0001f; }
__global__ void barriers(float* x, int rounds) {
    __shared__ float s[1024];
    s[threadIdx.x] = threadIdx.x;
    for (int r = 0; r < rounds; ++r) { __syncthreads(); s[threadIdx.x] += s[threadIdx.x ^ 32]; }
    x[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
static void launches(float* a, float* b) {
    for (int threads : {32, 128, 256, 1024})
        for (int grid : {1, 8, 32, 132, 264, 528, 1056, 2112, 4224, 16896}) {
            const double row = seconds([&] { nothing<<<grid, threads>>>(); }, 50), alone = seconds([&] { nothing<<<grid, threads>>>(); }, 1, 11);
            const int n = grid * threads;
            const double in_place = seconds([&] { scale<<<grid, threads>>>(a, n); }, 50), copied = seconds([&] { scale_read<<<grid, threads>>>(a, b, n); }, 50);
            std::printf("{\"launch\": %d, \"threads\": %d, \"nothing_s\": %.6g, \"alone_s\": %.6g, \"in_place_s\": %.6g, \"copied_s\": %.6g}\n", grid, threads, row, alone, in_place, copied);
        }
    for (int bytes : {0, 16384, 49152, 200000}) {
        cudaFuncSetAttribute(nothing_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);
        const double t = seconds([&] { nothing_shared<<<132, 256, bytes>>>(); }, 50);
        const double turns = seconds([&] { nothing_shared<<<132, 256, bytes>>>(); nothing<<<132, 256>>>(); }, 25) / 2;
        std::printf("{\"launch_shared\": %d, \"s\": %.6g, \"in_turn_s\": %.6g}\n", bytes, t, turns);
    }
    for (int rounds : {1, 10, 100})
        for (int threads : {64, 256, 1024})
            std::printf("{\"barriers\": %d, \"threads\": %d, \"s\": %.6g}\n", rounds, threads, seconds([&] { barriers<<<132, threads>>>(a, rounds); }, 20));
}

// ---- atomics and gathers on words of different frequency: word = words * u^power
enum { red_int, red_float, atom_int, red_double, gather };
__device__ inline unsigned word_of(unsigned key, unsigned words, int power) {
    const float u = hashed(key) * 0x1p-32f;
    float f = u;
    for (int p = 1; p < power; ++p) f *= u;
    return min(words - 1, static_cast<unsigned>(f * words));
}
template <int what>
__global__ void touch(float* data, const int* __restrict__ index, int rounds, float* out) {
    const int first = blockIdx.x * blockDim.x * rounds + threadIdx.x;
    float sum = 0;
#pragma unroll 4
    for (int r = 0; r < rounds; ++r) {
        const int at = index[first + r * blockDim.x];
        if (what == red_int) atomicAdd(reinterpret_cast<int*>(data) + at, 1);
        else if (what == red_float) atomicAdd(data + at, 1.0f);
        else if (what == atom_int) sum += atomicAdd(reinterpret_cast<int*>(data) + at, 1);
        else if (what == red_double) atomicAdd(reinterpret_cast<double*>(data) + at, 1.0);
        else sum += data[at];
    }
    if (sum == 12345.678f) *out = sum;
}
__global__ void fill_index(int* index, unsigned words, int power, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) index[i] = word_of(i, words, power);
}
template <int what>
static void touched(const char* name, float* data, int* index, float* out) {
    constexpr int blocks = 528, rounds = 32, n = blocks * 256 * rounds;
    for (unsigned words : {32u, 256u, 1024u, 8192u, 65536u, 1u << 20, 1u << 24, 1u << 27})
        for (int power : {1, 2, 4}) {
            if (words < 1024 && power > 1) continue;
            fill_index<<<(n + 255) / 256, 256>>>(index, words, power, n);
            const double t = seconds([&] { touch<what><<<blocks, 256>>>(data, index, rounds, out); }, 1, 3);
            const double small = seconds([&] { touch<what><<<66, 256>>>(data, index, rounds, out); }, 1, 3);
            std::printf("{\"touch\": \"%s\", \"words\": %u, \"power\": %d, \"n\": %d, \"s\": %.6g, \"eighth_s\": %.6g}\n", name, words, power, n, t, small);
        }
}

// ---- shared memory of the other blocks of a cluster
template <int bytes>
__global__ void others(unsigned* cycles, float* out, int own) {
    extern __shared__ float mine[];
    for (int k = threadIdx.x; k < 8192; k += blockDim.x) mine[k] = k;
    const cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    const float* p = cluster.map_shared_rank(mine, own ? cluster.block_rank() : (cluster.block_rank() + 1) % cluster.num_blocks());
    float sum = 0;
    const unsigned start = now();
#pragma unroll 8
    for (int r = 0; r < 64; ++r) {
        if (bytes == 4) sum += p[(threadIdx.x + r * 32) & 8191];
        else {
            const float4 v = reinterpret_cast<const float4*>(p)[(threadIdx.x + r * 32) & 2047];
            sum += v.x + v.y + v.z + v.w;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    __syncthreads();
    const unsigned end = now();
    cluster.sync();
    if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = end - start;
}
template <int bytes>
static void clusters(unsigned* cycles, float* out) {
    cudaFuncSetAttribute(others<bytes>, cudaFuncAttributeMaxDynamicSharedMemorySize, 131072);
    for (int size : {2, 4, 8})
        for (int threads : {32, 128, 256, 512, 1024})
            for (int own : {0, 1}) {
                cudaLaunchConfig_t config{};
                cudaLaunchAttribute attribute;
                attribute.id = cudaLaunchAttributeClusterDimension;
                attribute.val.clusterDim = {static_cast<unsigned>(size), 1, 1};
                config.gridDim = dim3(size == 8 ? 104 : 128);
                config.blockDim = dim3(threads);
                config.dynamicSmemBytes = 131072;
                config.attrs = &attribute;
                config.numAttrs = 1;
                for (int twice = 0; twice < 2; ++twice) check(cudaLaunchKernelEx(&config, others<bytes>, cycles, out, own), "cluster");
                check(cudaDeviceSynchronize(), "cluster");
                std::printf("{\"cluster\": %d, \"threads\": %d, \"bytes\": %d, \"own\": %d, \"cycles_per_load\": %.5g}\n", size, threads, bytes, own, *cycles / 64.0);
            }
}

// ---- streams of all sizes, launch after launch
template <class T> __device__ inline float first_of(T v) { return reinterpret_cast<const float*>(&v)[0]; }
template <class T> __global__ void stream_read(const T* __restrict__ a, float* out, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && first_of(a[i]) == 12345.678f) *out = 1;
}
template <class T> __global__ void stream_write(T* a, unsigned n, T value) { const unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = value; }
template <class T> __global__ void stream_copy(const T* __restrict__ a, T* b, unsigned n) { const unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i]; }
template <class T> __global__ void stream_own(T* a, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T v = a[i];
    reinterpret_cast<float*>(&v)[0] *= 1.0001f;
    a[i] = v;
}
template <class T> __global__ void stream_triad(const T* __restrict__ a, const T* __restrict__ b, T* c, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T v = a[i];
    reinterpret_cast<float*>(&v)[0] += first_of(b[i]);
    c[i] = v;
}
template <class T>
static void streams(const char* name, float* x, float* y) {
    for (unsigned mib : {4, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 128, 192, 256, 512, 1024}) {
        const unsigned n = (static_cast<std::uint64_t>(mib) << 20) / sizeof(T), blocks = (n + 255) / 256;  // of each array
        T *a = reinterpret_cast<T*>(x), *b = reinterpret_cast<T*>(y), *c = b + n;
        const int times = std::max(2, std::min(20, static_cast<int>(512 / mib)));
        const double read = seconds([&] { stream_read<<<blocks, 256>>>(a, y, n); }, times), write = seconds([&] { stream_write<<<blocks, 256>>>(a, n, T{}); }, times);
        const double copy = seconds([&] { stream_copy<<<blocks, 256>>>(a, b, n); }, times), own = seconds([&] { stream_own<<<blocks, 256>>>(a, n); }, times);
        const double triad = mib <= 512 ? seconds([&] { stream_triad<<<blocks, 256>>>(a, b, c, n); }, times) : 0;
        std::printf("{\"stream\": \"%s\", \"MiB\": %u, \"read_s\": %.6g, \"write_s\": %.6g, \"copy_s\": %.6g, \"own_s\": %.6g, \"triad_s\": %.6g}\n", name, mib, read, write, copy, own, triad);
    }
}

// ---- the clock under load: each for a quarter of a second, then measured in the last launch
struct Clock { long long cycles; std::uint64_t ns; };
template <class Work>
__device__ void clocked(Clock* clock, Work work) {
    const std::uint64_t t = nanoseconds();
    const long long c = clock64();
    work();
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) *clock = {clock64() - c, nanoseconds() - t};
}
__global__ void busy_ffma(Clock* clock, const float* in, float* out, int rounds) {
    clocked(clock, [&] {
        float a[16], x = in[threadIdx.x], y = in[threadIdx.x + 1024];
        for (int k = 0; k < 16; ++k) a[k] = in[threadIdx.x + k * 32];
        for (int r = 0; r < rounds; ++r)
            for (int k = 0; k < 16; ++k) a[k] = a[k] * x + y;
        for (int k = 0; k < 16; ++k) out[blockIdx.x * 1024 + threadIdx.x] += a[k];
    });
}
__global__ void busy_dfma(Clock* clock, const float* in, float* out, int rounds) {
    clocked(clock, [&] {
        double a[8], x = in[threadIdx.x], y = in[threadIdx.x + 1024];
        for (int k = 0; k < 8; ++k) a[k] = in[threadIdx.x + k * 32];
        for (int r = 0; r < rounds; ++r)
            for (int k = 0; k < 8; ++k) a[k] = a[k] * x + y;
        for (int k = 0; k < 8; ++k) out[blockIdx.x * 1024 + threadIdx.x] += a[k];
    });
}
__global__ void busy_imad(Clock* clock, const float* in, float* out, int rounds) {
    clocked(clock, [&] {
        unsigned a[16], x = __float_as_uint(in[threadIdx.x]) | 1, y = __float_as_uint(in[threadIdx.x + 1024]);
        for (int k = 0; k < 16; ++k) a[k] = __float_as_uint(in[threadIdx.x + k * 32]);
        for (int r = 0; r < rounds; ++r)
            for (int k = 0; k < 16; ++k) a[k] = a[k] * x + y;
        for (int k = 0; k < 16; ++k) out[blockIdx.x * 1024 + threadIdx.x] += a[k];
    });
}
__global__ void busy_mma(Clock* clock, const float* in, float* out, int rounds) {
    using namespace nvcuda::wmma;
    clocked(clock, [&] {
        fragment<matrix_a, 16, 16, 16, half, row_major> a;
        fragment<matrix_b, 16, 16, 16, half, col_major> b;
        fragment<accumulator, 16, 16, 16, float> c[4];
        for (int k = 0; k < a.num_elements; ++k) a.x[k] = __float2half(in[threadIdx.x * 16 + k]);
        for (int k = 0; k < b.num_elements; ++k) b.x[k] = __float2half(in[threadIdx.x * 16 + k + 7777]);
        for (auto& f : c) fill_fragment(f, 0.0f);
        for (int r = 0; r < rounds; ++r)
            for (auto& f : c) mma_sync(f, a, b, f);
        for (auto& f : c) out[blockIdx.x * 1024 + threadIdx.x] += f.x[0];
    });
}
__global__ void busy_shared(Clock* clock, const float* in, float* out, int rounds) {
    __shared__ float4 s[1024];
    s[threadIdx.x] = reinterpret_cast<const float4*>(in)[threadIdx.x];
    __syncthreads();
    clocked(clock, [&] {
        float4 a = make_float4(0, 0, 0, 0), b = a;
        for (int r = 0; r < rounds; ++r) {
            const float4 v = s[(threadIdx.x + r * 32) & 1023];
            a.x += v.x * v.y, a.y += v.y * v.z, a.z += v.z * v.w, a.w += v.w * v.x;
            b.x = b.x * v.x + 1, b.y = b.y * v.y + 1, b.z = b.z * v.z + 1, b.w = b.w * v.w + 1;
        }
        out[blockIdx.x * 1024 + threadIdx.x] = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    });
}
__global__ void busy_reads(Clock* clock, const float* in, float* out, int rounds, unsigned mask) {
    clocked(clock, [&] {
        float4 a = make_float4(0, 0, 0, 0);
        const float4* p = reinterpret_cast<const float4*>(in);
#pragma unroll 4
        for (int r = 0; r < rounds; ++r) {
            const float4 v = __ldcg(&p[((blockIdx.x + static_cast<unsigned>(r) * gridDim.x) * 1024u + threadIdx.x) & mask]);
            a.x += v.x, a.y += v.y, a.z += v.z, a.w += v.w;
        }
        out[blockIdx.x * 1024 + threadIdx.x] = a.x + a.y + a.z + a.w;
    });
}
__global__ void busy_copies(Clock* clock, const float* in, float* out, int rounds, unsigned mask) {
    clocked(clock, [&] {
        const float4* p = reinterpret_cast<const float4*>(in);
        for (int r = 0; r < rounds; ++r) {
            const unsigned i = ((blockIdx.x + static_cast<unsigned>(r) * gridDim.x) * 1024u + threadIdx.x) & mask;
            reinterpret_cast<float4*>(out)[i] = p[i];
        }
    });
}
__global__ void mixed_fill(float* data, std::uint64_t n, int zero) {
    for (std::uint64_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) data[i] = zero ? 0.0f : 0.5f + hashed(i) * 0x1p-32f;
}
static void clocks(float* in, float* out, std::uint64_t floats) {
    Clock* clock;
    cudaMallocHost(&clock, sizeof(Clock));
    const auto run = [&](const char* name, int zero, const std::function<void(int)>& launch) {
        int rounds = 64;
        for (double t = 0; t < 1e-3 && rounds < 1 << 24; rounds *= 2) t = seconds([&] { launch(rounds); }, 1, 1);
        const int times = 250;
        for (int k = 0; k < times; ++k) launch(rounds);
        check(cudaDeviceSynchronize(), name);
        const double early = clock->cycles * 1e3 / clock->ns;
        const double t = seconds([&] { launch(rounds); }, 1, 3);
        std::printf("{\"clock\": \"%s\", \"zeros\": %d, \"MHz\": %.5g, \"then_MHz\": %.5g, \"s\": %.5g, \"rounds\": %d}\n", name, zero, early, clock->cycles * 1e3 / clock->ns, t, rounds);
        std::fflush(stdout);
        std::fprintf(stderr, "%s\n", name);
    };
    for (int zero : {0, 1}) {
        mixed_fill<<<2112, 256>>>(in, floats, zero);
        run("ffma", zero, [&](int r) { busy_ffma<<<264, 1024>>>(clock, in, out, r); });
        run("dfma", zero, [&](int r) { busy_dfma<<<264, 1024>>>(clock, in, out, r); });
        run("imad", zero, [&](int r) { busy_imad<<<264, 1024>>>(clock, in, out, r); });
        run("mma", zero, [&](int r) { busy_mma<<<264, 1024>>>(clock, in, out, r); });
        run("shared", zero, [&](int r) { busy_shared<<<264, 1024>>>(clock, in, out, r); });
        run("l2", zero, [&](int r) { busy_reads<<<264, 1024>>>(clock, in, out, r, (1u << 20) - 1); });
        run("memory", zero, [&](int r) { busy_reads<<<264, 1024>>>(clock, in, out, r, (1u << 27) - 1); });
        run("copy", zero, [&](int r) { busy_copies<<<264, 1024>>>(clock, in, out, r, (1u << 26) - 1); });
    }
}

int main() {
    float *a, *b;
    int* index;
    unsigned* cycles;
    const std::uint64_t floats = 1ull << 29;
    cudaMalloc(&a, floats * 4);
    cudaMalloc(&b, floats * 4);
    cudaMalloc(&index, 1u << 26);
    cudaMallocHost(&cycles, 64);
    cudaMemset(a, 0, floats * 4);
    cudaMemset(b, 0, floats * 4);
    launches(a, b);
    std::fflush(stdout);
    touched<red_int>("red int", a, index, b);
    touched<red_float>("red float", a, index, b);
    touched<atom_int>("atom int", a, index, b);
    touched<red_double>("red double", a, index, b);
    touched<gather>("gather", a, index, b);
    std::fflush(stdout);
    clusters<4>(cycles, b);
    clusters<16>(cycles, b);
    std::fflush(stdout);
    streams<float>("float", a, b);
    streams<float4>("float4", a, b);
    std::fflush(stdout);
    clocks(a, b, floats);
}
