// Which multiprocessors get which blocks, times of launches of few equal blocks, atomics of warps whose lanes share words, and clusters under
// load; one JSON line each.
//
//     nvcc -O3 -std=c++17 -arch=sm_90 -o placement placement.cu && ./placement | xz > placement.jsonl.xz
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

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
__device__ inline unsigned smid() { unsigned v; asm volatile("mov.u32 %0, %%smid;" : "=r"(v)); return v; }
__device__ inline unsigned hashed(unsigned x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// ---- who gets which block: all run long enough that none ends before the last has begun
__global__ void place(unsigned* where, unsigned length) {
    extern __shared__ int unused[];
    if (threadIdx.x == 0) {
        where[blockIdx.x + gridDim.x * blockIdx.y] = smid();
        const std::uint64_t start = nanoseconds();
        while (nanoseconds() - start < length) {}
    }
    __syncthreads();
}
static void places(unsigned* where) {
    struct Shape { int blocks, threads, shared, rows; };
    std::vector<Shape> shapes;
    for (int blocks : {132, 264, 396, 528, 1056})
        for (int kib : {200, 100, 64, 48, 24, 0}) shapes.push_back({blocks, 128, kib << 10, 1});
    for (int blocks : {140, 160, 200, 256, 300, 512}) shapes.push_back({blocks, 128, 48 << 10, 1}), shapes.push_back({blocks, 256, 0, 1});
    shapes.push_back({264, 1024, 0, 1});
    shapes.push_back({264, 512, 0, 1});
    shapes.push_back({528, 512, 0, 1});
    shapes.push_back({16, 128, 40 << 10, 32});
    shapes.push_back({64, 128, 40 << 10, 8});
    shapes.push_back({264, 32, 0, 1});
    cudaFuncSetAttribute(place, cudaFuncAttributeMaxDynamicSharedMemorySize, 220 << 10);
    for (const Shape& s : shapes)
        for (int again = 0; again < (s.blocks == 264 ? 2 : 1); ++again) {
            const int all = s.blocks * s.rows;
            int resident = 0;
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, place, s.threads, s.shared);
            place<<<dim3(s.blocks, s.rows), s.threads, s.shared>>>(where, 60'000);
            std::vector<unsigned> found(all);
            check(cudaMemcpy(found.data(), where, all * sizeof(unsigned), cudaMemcpyDeviceToHost), "place");
            std::printf("{\"place\": %d, \"rows\": %d, \"threads\": %d, \"shared\": %d, \"resident\": %d, \"multiprocessors\": [", s.blocks, s.rows, s.threads, s.shared, resident);
            for (int k = 0; k < all; ++k) std::printf("%s%u", k ? "," : "", found[k]);
            std::printf("]}\n");
        }
}

// ---- equal blocks that keep a multiprocessor busy: time by their number
__global__ void busy(float* out, int rounds) {
    extern __shared__ int unused[];
    float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
    for (int k = 0; k < rounds; ++k) {
        a = a * 0.999f + 0.5f;
        b = b * 0.999f + 0.5f;
        c = c * 0.999f + 0.5f;
        d = d * 0.999f + 0.5f;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}
static void stairs(float* out) {
    cudaFuncSetAttribute(busy, cudaFuncAttributeMaxDynamicSharedMemorySize, 220 << 10);
    for (int kib : {100, 48, 24, 0})
        for (int blocks : {66, 120, 132, 136, 148, 198, 256, 260, 264, 268, 300, 390, 396, 400, 512, 524, 528, 532, 600, 792, 1056, 2112, 4224})
            std::printf("{\"busy\": %d, \"threads\": 256, \"shared\": %d, \"s\": %.6g}\n", blocks, kib << 10, seconds([&] { busy<<<blocks, 256, kib << 10>>>(out, 2000); }));
    for (int blocks : {132, 198, 264, 330, 396, 528, 1056}) std::printf("{\"busy\": %d, \"threads\": 128, \"shared\": 0, \"s\": %.6g}\n", blocks, seconds([&] { busy<<<blocks, 128>>>(out, 4000); }));
}

// ---- atomics: runs of `run` neighbouring lanes update one word; words of neighbouring runs are neighbours, or anywhere
template <class T, bool wanted> __global__ void shared_words(T* words, T* out, int run, int spread, unsigned mask, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned r = i / run, at = spread ? hashed(r) & mask : r & mask;
    if (wanted) out[i] = atomicAdd(words + at, T(1));
    else atomicAdd(words + at, T(1));
}
template <class T, bool wanted> static void sharings(const char* name, T* words, T* out) {
    for (int n : {262144, 4194304})
        for (int spread : {0, 1})
            for (int run : {1, 2, 4, 8, 16, 32})
                std::printf("{\"lanes_of_word\": %d, \"kind\": \"%s\", \"anywhere\": %d, \"n\": %d, \"s\": %.6g}\n", run, name, spread, n,
                            seconds([&] { shared_words<T, wanted><<<n / 256, 256>>>(words, out, run, spread, (1 << 20) - 1, n); }, 4));
}

// ---- blocks that append: positions drawn from one counter, one by one, by warp, by block
__global__ void append(const int* x, int* out, int* count, int how, int modulus) {
    __shared__ int first, number;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool taken = x[i] % modulus == 0;
    if (how == 0) {
        if (taken) out[atomicAdd(count, 1) & 0x3fffff] = i;
        return;
    }
    if (threadIdx.x == 0) number = 0;
    __syncthreads();
    int at = 0;
    if (taken) at = atomicAdd(&number, 1);
    __syncthreads();
    if (threadIdx.x == 0) first = atomicAdd(count, number);
    __syncthreads();
    if (taken) out[first + at & 0x3fffff] = i;
}
__global__ void numbers(int* x, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = hashed(i) & 0x7fffffff; }
static void appends(int* x, int* out, int* count) {
    numbers<<<16384, 256>>>(x, 4194304);
    for (int n : {262144, 4194304})
        for (int how : {0, 1})
            for (int modulus : {1, 4, 16})
                std::printf("{\"append\": %d, \"by_block\": %d, \"one_in\": %d, \"s\": %.6g}\n", n, how, modulus, seconds([&] { append<<<n / 256, 256>>>(x, out, count, how, modulus); }, 4));
}

// ---- clusters: a barrier in each round; bulk copies for one block or for all of its cluster; updates of the others' shared memory
using U = unsigned;
__device__ inline U at(const void* p) { return static_cast<U>(__cvta_generic_to_shared(p)); }
__device__ inline void meet() { asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); }
__device__ inline U rank_in_cluster() { U r; asm volatile("mov.u32 %0,%%cluster_ctarank;" : "=r"(r)); return r; }
__device__ inline void await(U barrier, int parity) {
    U done;
    do asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p,[%1],%2; selp.u32 %0,1,0,p;}" : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
    while (!done);
}
// how: 0 barriers of the block alone, 1 of the cluster; 2 copies for itself and barriers of the block, 3 and of the cluster, 4 for all with barriers of the cluster
template <int size> __global__ void __cluster_dims__(size, 1, 1) rounds_of(const float* a, float* out, int rounds, int how, int bytes) {
    extern __shared__ __align__(128) float tiles[];
    __shared__ unsigned long long full[2];
    const U t = threadIdx.x, r = rank_in_cluster();
    float sum = 0;
    if (t < 2) asm volatile("mbarrier.init.shared.b64 [%0],1;" ::"r"(at(full + t)));
    asm volatile("fence.proxy.async.shared::cta;");
    meet();
    const auto fetch = [&](int k) {
        if (t != 0 || k >= rounds || how < 2) return;
        const U barrier = at(full + k % 2), to = at(tiles) + k % 2 * bytes, part = how == 4 ? bytes / size : bytes;
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _,[%0],%1;" ::"r"(barrier), "r"(bytes) : "memory");
        const float* from = a + (static_cast<unsigned long long>(how == 4 ? blockIdx.x / size : blockIdx.x) * rounds + k) * (bytes / 4) % (1 << 25);
        if (how == 4)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0],[%1],%2,[%3],%4;" ::"r"(to + r * part),
                         "l"(from + r * part / 4), "r"(part), "r"(barrier), "h"(static_cast<unsigned short>((1 << size) - 1)) : "memory");
        else
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],%2,[%3];" ::"r"(to), "l"(from), "r"(part), "r"(barrier) : "memory");
    };
    fetch(0);
    for (int k = 0; k < rounds; ++k) {
        if (how >= 2) {
            fetch(k + 1);
            await(at(full + k % 2), k / 2 & 1);
            for (int e = t; e < bytes / 4; e += blockDim.x) sum += tiles[k % 2 * (bytes / 4) + e];
        } else {
            sum = sum * 0.5f + k;
        }
        if (how == 0 || how == 2) __syncthreads();
        else meet();
    }
    out[blockIdx.x * blockDim.x + t] = sum;
    meet();
}
template <int size> __global__ void __cluster_dims__(size, 1, 1) updates(float* out, int rounds, int near) {
    __shared__ int bins[2048];
    for (U e = threadIdx.x; e < 2048; e += blockDim.x) bins[e] = 0;
    meet();
    U p = 0;
    for (int k = 0; k < rounds; ++k) {
        const U v = hashed(blockIdx.x * 65536 + k * 256 + threadIdx.x);
        asm volatile("mapa.shared::cluster.u32 %0,%1,%2;" : "=r"(p) : "r"(at(bins + v % 2048)), "r"(near ? rank_in_cluster() : v / 2048 % size));
        asm volatile("red.shared::cluster.add.s32 [%0],1;" ::"r"(p) : "memory");
    }
    meet();
    out[blockIdx.x * blockDim.x + threadIdx.x] = bins[threadIdx.x];
}
template <int size> static void clusters(const float* a, float* out) {
    cudaFuncSetAttribute(rounds_of<size>, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10);
    for (int blocks : {8, 264, 1056})
        for (int how : {0, 1, 2, 3, 4})
            for (int bytes : {4096, 16384}) {
                if (how < 2 && bytes > 4096) continue;
                for (int rounds : {4, 20})
                    std::printf("{\"cluster_rounds\": %d, \"size\": %d, \"how\": %d, \"bytes\": %d, \"blocks\": %d, \"s\": %.6g}\n", rounds, size, how, bytes, blocks,
                                seconds([&] { rounds_of<size><<<blocks, 256, 2 * bytes>>>(a, out, rounds, how, bytes); }));
            }
    for (int near : {0, 1})
        for (int rounds : {16, 128})
            std::printf("{\"cluster_updates\": %d, \"size\": %d, \"near\": %d, \"blocks\": 1056, \"s\": %.6g}\n", rounds, size, near, seconds([&] { updates<size><<<1056, 256>>>(out, rounds, near); }));
}

int main() {
    float *a, *b;
    check(cudaMalloc(&a, (1ull << 25) * 4 + (1 << 20)), "memory");
    check(cudaMalloc(&b, 1ull << 26), "memory");
    cudaMemset(a, 0, (1ull << 25) * 4);
    cudaMemset(b, 0, 1ull << 26);
    places(reinterpret_cast<unsigned*>(b));
    std::fflush(stdout);
    stairs(b);
    std::fflush(stdout);
    sharings<float, false>("red float", a, b);
    sharings<int, false>("red int", reinterpret_cast<int*>(a), reinterpret_cast<int*>(b));
    sharings<float, true>("atom float", a, b);
    sharings<int, true>("atom int", reinterpret_cast<int*>(a), reinterpret_cast<int*>(b));
    std::fflush(stdout);
    appends(reinterpret_cast<int*>(a), reinterpret_cast<int*>(b), reinterpret_cast<int*>(a) + (1 << 24));
    std::fflush(stdout);
    clusters<2>(a, b);
    clusters<4>(a, b);
    clusters<8>(a, b);
}
