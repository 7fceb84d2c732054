// Fences and what they do to L1, barriers and launches of clusters, shared memory of other blocks, atomics that return, work queues; one JSON line each.
//
//     nvcc -O3 -std=c++17 -arch=sm_90a -o fences fences.cu && ./fences | xz > fences.jsonl.xz
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

using U = unsigned;
static void check(cudaError_t s, const char* what) {
    if (s != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(s)), cudaGetLastError();
}
__device__ inline std::uint64_t nanoseconds() { std::uint64_t v; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(v)); return v; }
__global__ void wait(std::uint64_t length) {
    const std::uint64_t start = nanoseconds();
    while (nanoseconds() - start < length) {}
}
static double seconds(const std::function<void()>& work, int times = 1, int repeats = 5, const std::function<void()>& before = [] {}) {
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    std::vector<double> t;
    before();
    work();
    for (int r = 0; r < repeats; ++r) {
        before();
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
    cudaEventDestroy(a);
    cudaEventDestroy(b);
    return t[t.size() / 2];
}
__device__ inline U hashed(U x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}
__device__ inline U at(const void* p) { return static_cast<U>(__cvta_generic_to_shared(p)); }
__device__ inline U rank_in_cluster() { U r; asm volatile("mov.u32 %0,%%cluster_ctarank;" : "=r"(r)); return r; }
__device__ inline U of_block(U address, U rank) { U p; asm volatile("mapa.shared::cluster.u32 %0,%1,%2;" : "=r"(p) : "r"(address), "r"(rank)); return p; }

// ---- fences: rounds of an access (0 none, 1 a store, 2 a load that is waited for) and a fence
enum Fence { none, block_barrier, fence_block, fence_gpu, fence_sc, fence_cluster, cluster_barrier, cluster_relaxed, invalidate };
template <Fence fence> __device__ inline void stop() {
    if (fence == block_barrier) __syncthreads();
    if (fence == fence_block) asm volatile("fence.acq_rel.cta;" ::: "memory");
    if (fence == fence_gpu) asm volatile("fence.acq_rel.gpu;" ::: "memory");
    if (fence == fence_sc) __threadfence();
    if (fence == fence_cluster) asm volatile("fence.acq_rel.cluster;" ::: "memory");
    if (fence == cluster_barrier) asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (fence == cluster_relaxed) asm volatile("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
template <Fence fence> __device__ inline void fenced(float* a, long long* cycles, int rounds, int access) {
    float sum = 0;
    volatile float* mine = a + (blockIdx.x * blockDim.x + threadIdx.x);
    const long long start = clock64();
    for (int k = 0; k < rounds; ++k) {
        if (access == 1) mine[(k & 7) << 18] = k;
        if (access == 2) sum += mine[(k & 7) << 18];
        stop<fence>();
        if (sum == -1.f) return;
    }
    const long long took = clock64() - start;
    if (threadIdx.x == 0) cycles[blockIdx.x] = took;
}
template <Fence fence> __global__ void single(float* a, long long* cycles, int rounds, int access) { fenced<fence>(a, cycles, rounds, access); }
template <Fence fence, int size> __global__ void __cluster_dims__(size, 1, 1) joined(float* a, long long* cycles, int rounds, int access) { fenced<fence>(a, cycles, rounds, access); }
template <class Kernel> static void fences_of(const char* name, int size, Kernel kernel, float* a, long long* cycles) {
    for (int access : {0, 1, 2})
        for (int threads : {32, 128, 256, 1024})
            for (int blocks : {size, 132 / size * size, 264, 528, 1056}) {
                if (blocks * threads > 132 * 2048 || (blocks == 528 && threads != 256)) continue;
                kernel<<<blocks, threads>>>(a, cycles, 64, access);
                kernel<<<blocks, threads>>>(a, cycles, 64, access);
                std::vector<long long> took(blocks);
                check(cudaMemcpy(took.data(), cycles, blocks * 8, cudaMemcpyDeviceToHost), name);
                std::sort(took.begin(), took.end());
                std::printf("{\"fence\": \"%s\", \"size\": %d, \"access\": %d, \"threads\": %d, \"blocks\": %d, \"cycles_a_round\": %.1f, \"most\": %.1f}\n", name, size, access, threads, blocks,
                            took[blocks / 2] / 64.0, took.back() / 64.0);
            }
}

// ---- what a fence leaves in L1: rounds over the same 16 KiB of a block
template <Fence fence> __global__ void read_again(const float* a, float* out, int rounds) {
    float sum = 0;
    const float* mine = a + blockIdx.x * 4096 + threadIdx.x;
    for (int k = 0; k < rounds; ++k) {
#pragma unroll
        for (int e = 0; e < 16; ++e) sum += mine[e * 256];
        stop<fence>();
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// ---- launches of clusters: each block waits for so long
template <int size> __global__ void __cluster_dims__(size, 1, 1) start_cluster(float* out, int cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {}
    if (threadIdx.x == 0) out[blockIdx.x] = cycles;
}
__global__ void start_single(float* out, int cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {}
    if (threadIdx.x == 0) out[blockIdx.x] = cycles;
}
template <class Kernel> static void starts_of(int size, Kernel kernel, float* out) {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
    for (int threads : {64, 256, 1024})
        for (int kib : {0, 64, 100})
            for (int blocks : {size, 128, 264, 1056, 2112, 16384})
                for (int cycles : {0, 2000, 8000}) {
                    if (kib && (threads != 256 || blocks == size)) continue;
                    std::printf("{\"start\": %d, \"size\": %d, \"threads\": %d, \"shared\": %d, \"cycles\": %d, \"s\": %.6g}\n", blocks, size, threads, kib << 10, cycles,
                                seconds([&] { kernel<<<blocks, threads, kib << 10>>>(out, cycles); }, 4));
                }
}

// ---- shared memory of other blocks: a chain of loads; then many loads of 4 and 16 bytes
template <int size> __global__ void __cluster_dims__(size, 1, 1) far_chain(U* out, int distance, int rounds) {
    __shared__ U next[1024];
    for (U e = threadIdx.x; e < 1024; e += blockDim.x) next[e] = (e * 37 + 4) * 4 % 4096;
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    const U base = of_block(at(next), (rank_in_cluster() + distance) % size);
    U p = threadIdx.x * 4;
    const long long start = clock64();
    for (int k = 0; k < rounds; ++k) asm volatile("ld.shared::cluster.u32 %0,[%1];" : "=r"(p) : "r"(base + p) : "memory");
    const long long took = clock64() - start;
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0) out[blockIdx.x] = took + (p == 1);
}
template <int size> __global__ void __cluster_dims__(size, 1, 1) far_stream(U* out, int distance, int rounds, int wide) {
    __shared__ uint4 tile[1024];
    for (U e = threadIdx.x; e < 1024; e += blockDim.x) tile[e] = {e, e, e, e};
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    // distance −1: all read block 0
    const U base = of_block(at(tile), distance < 0 ? 0 : (rank_in_cluster() + distance) % size);
    U sum = 0;
    const long long start = clock64();
    for (int k = 0; k < rounds; ++k) {
        U v[4] = {};
        const U where = base + ((threadIdx.x + k * 64) & 1023) * (wide ? 16 : 4);
        if (wide) asm volatile("ld.shared::cluster.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(where));
        else asm volatile("ld.shared::cluster.u32 %0,[%1];" : "=r"(v[0]) : "r"(where));
        sum += v[0] + v[1] + v[2] + v[3];
    }
    __syncthreads();
    const long long took = clock64() - start;
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0) out[blockIdx.x] = took + (sum == 1);
}
template <int size> static void far(U* out) {
    std::vector<U> took(1056);
    const auto median = [&](int blocks) {
        check(cudaMemcpy(took.data(), out, blocks * 4, cudaMemcpyDeviceToHost), "far");
        std::sort(took.begin(), took.begin() + blocks);
        return took[blocks / 2];
    };
    for (int blocks : {size, 128})
        for (int distance = 0; distance < size; distance = distance ? distance * 2 : 1) {
            for (int again = 0; again < 2; ++again) far_chain<size><<<blocks, 32>>>(out, distance, 256);
            std::printf("{\"far_chain\": %d, \"size\": %d, \"blocks\": %d, \"cycles\": %.1f}\n", distance, size, blocks, median(blocks) / 256.0);
        }
    for (int blocks : {size, 128, 1024})
        for (int distance : {-1, 0, 1, size / 2})
            for (int wide : {0, 1})
                for (int threads : {128, 256}) {
                    for (int again = 0; again < 2; ++again) far_stream<size><<<blocks, threads>>>(out, distance, 128, wide);
                    const double cycles = median(blocks) / 128.0;
                    std::printf("{\"far_stream\": %d, \"size\": %d, \"blocks\": %d, \"threads\": %d, \"bytes\": %d, \"cycles_a_round\": %.1f}\n", distance, size, blocks, threads, wide ? 16 : 4, cycles);
                }
}

// ---- atomics: a chain that needs each result; many at once; words by a mask
enum Kind { add, add_returned, least, least_lower, exchange };
__global__ void chain(U* words, U* out, U mask, int rounds) {
    U i = threadIdx.x;
    const long long start = clock64();
    for (int k = 0; k < rounds; ++k) i = hashed(i + k + atomicAdd(words + (i & mask), 0u));
    const long long took = clock64() - start;
    out[0] = took / rounds;
    out[1] = i;
}
template <Kind kind> __global__ void many(U* words, U* out, U mask, int each, U value) {
    const U t = blockIdx.x * blockDim.x + threadIdx.x;
    U sum = 0;
    for (int k = 0; k < each; ++k) {
        U* word = words + (hashed(t * each + k) & mask);
        if (kind == add) atomicAdd(word, 1u);
        if (kind == add_returned) sum += atomicAdd(word, 1u);
        if (kind == least) atomicMin(word, 0x7fffffffu);
        if (kind == least_lower) atomicMin(word, value - k);
        if (kind == exchange) sum += atomicExch(word, t);
    }
    if (kind == add_returned || kind == exchange) out[t] = sum;
}
template <Kind kind> static void many_of(const char* name, U* words, U* out) {
    U value = 0x7fffffff;
    for (U mask : {0u, 255u, 8191u, (1u << 18) - 1, (1u << 20) - 1, (1u << 27) - 1})
        for (int blocks : {132, 1024, 8192}) {
            if (mask == 0 && blocks == 8192) continue;
            std::printf("{\"many\": \"%s\", \"words\": %u, \"updates\": %d, \"each\": 4, \"s\": %.6g}\n", name, mask + 1, blocks * 1024,
                        seconds([&] { many<kind><<<blocks, 256>>>(words, out, mask, 4, value -= 16); }, 2));
        }
}

// ---- appended positions: one counter; loads, a barrier, a result of an atomic and stores one after another
__global__ void append(const U* x, U* out, U* count, int how, U limit) {
    __shared__ U first, number;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool taken = x[i] <= limit;
    const U votes = __ballot_sync(~0u, taken), before = __popc(votes & ((1u << threadIdx.x % 32) - 1));
    if (how == 0) {  // each warp draws
        U base = 0;
        if (threadIdx.x % 32 == 0) base = atomicAdd(count, __popc(votes));
        base = __shfl_sync(~0u, base, 0);
        if (taken) out[(base + before) & 0x3fffff] = i;
        return;
    }
    if (threadIdx.x == 0) number = 0;
    __syncthreads();
    U mine = 0;
    if (threadIdx.x % 32 == 0) mine = atomicAdd(&number, __popc(votes));
    mine = __shfl_sync(~0u, mine, 0) + before;
    __syncthreads();
    if (threadIdx.x == 0) first = how == 1 ? atomicAdd(count, number) : how == 2 ? atomicAdd(count + blockIdx.x % 64 * 64, number) : blockIdx.x * 256;  // 3: none drawn
    __syncthreads();
    if (taken) out[(first + mine) & 0x3fffff] = i;
}
__global__ void numbers(U* x, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = hashed(i); }

// ---- work queues: items of so many rounds; every thread, warp or block draws, or each has its share (how 3)
__global__ void queue(U* next, float* out, int n, int rounds, int spread, int how) {
    __shared__ U drawn;
    const U lane = threadIdx.x % 32, all = gridDim.x * blockDim.x;
    U share = blockIdx.x * blockDim.x + threadIdx.x;
    for (;;) {
        U i = 0;
        if (how == 0) i = atomicAdd(next, 1u);
        if (how == 1) {
            if (lane == 0) i = atomicAdd(next, 1u);
            i = __shfl_sync(~0u, i, 0);
        }
        if (how == 2) {
            if (threadIdx.x == 0) drawn = atomicAdd(next, 1u);
            __syncthreads();
            i = drawn;
            __syncthreads();
        }
        if (how == 3) i = share, share += all;
        if (i >= n) break;
        float v = i;
        const int length = rounds + (spread ? hashed(i) % spread : 0);
        for (int k = 0; k < length; ++k) v = v * 0.999f + 0.5f;
        if (how == 1) out[i * 32 + lane] = v;
        else if (how == 2) out[i * blockDim.x + threadIdx.x] = v;
        else out[i] = v;
    }
}

int main() {
    float* a;
    U *b, *c;
    long long* cycles;
    check(cudaMalloc(&a, 1ull << 29), "memory");
    check(cudaMalloc(&b, 1ull << 27), "memory");
    check(cudaMalloc(&c, 1ull << 16), "memory");
    check(cudaMalloc(&cycles, 1ull << 20), "memory");
    cudaMemset(a, 0, 1ull << 29);
    cudaMemset(b, 0, 1ull << 27);
    cudaMemset(c, 0, 1ull << 16);
    fences_of("none", 1, single<none>, a, cycles);
    fences_of("block barrier", 1, single<block_barrier>, a, cycles);
    fences_of("block", 1, single<fence_block>, a, cycles);
    fences_of("gpu", 1, single<fence_gpu>, a, cycles);
    fences_of("sequential", 1, single<fence_sc>, a, cycles);
    fences_of("cluster", 2, joined<fence_cluster, 2>, a, cycles);
    fences_of("cluster barrier", 2, joined<cluster_barrier, 2>, a, cycles);
    fences_of("cluster barrier", 4, joined<cluster_barrier, 4>, a, cycles);
    fences_of("cluster barrier", 8, joined<cluster_barrier, 8>, a, cycles);
    fences_of("relaxed cluster barrier", 2, joined<cluster_relaxed, 2>, a, cycles);
    fences_of("relaxed cluster barrier", 8, joined<cluster_relaxed, 8>, a, cycles);
    std::fflush(stdout);
    for (int blocks : {132, 264, 1056})
        for (int rounds : {4, 20}) {
            const auto line = [&](const char* name, auto kernel) {
                std::printf("{\"read_again\": \"%s\", \"blocks\": %d, \"rounds\": %d, \"s\": %.6g}\n", name, blocks, rounds, seconds([&] { kernel<<<blocks, 256>>>(a, reinterpret_cast<float*>(b), rounds); }, 4));
            };
            line("none", read_again<none>);
            line("block", read_again<fence_block>);
            line("gpu", read_again<fence_gpu>);
            line("sequential", read_again<fence_sc>);
        }
    std::fflush(stdout);
    starts_of(1, start_single, a);
    starts_of(2, start_cluster<2>, a);
    starts_of(4, start_cluster<4>, a);
    starts_of(8, start_cluster<8>, a);
    std::fflush(stdout);
    far<2>(b);
    far<4>(b);
    far<8>(b);
    std::fflush(stdout);
    U* words = reinterpret_cast<U*>(a);
    cudaMemset(a, 0x7f, 1ull << 29);
    for (U mask : {0u, 1023u, (1u << 20) - 1, (1u << 27) - 1}) {
        chain<<<1, 1>>>(words, c, mask, 256);
        chain<<<1, 1>>>(words, c, mask, 2048);
        U took[2];
        check(cudaMemcpy(took, c, 8, cudaMemcpyDeviceToHost), "chain");
        std::printf("{\"atomic_chain\": %u, \"cycles\": %u}\n", mask + 1, took[0]);
    }
    many_of<add>("add", words, b);
    many_of<add_returned>("add returned", words, b);
    many_of<least>("least, unchanged", words, b);
    many_of<least_lower>("least, lowered", words, b);
    many_of<exchange>("exchange", words, b);
    std::fflush(stdout);
    numbers<<<16384, 256>>>(words, 1 << 22);
    for (int n : {1 << 18, 1 << 20, 1 << 22})
        for (int threads : {128, 256, 512})
            for (int how : {0, 1, 2, 3})
                for (U limit : {~0u, ~0u / 4, ~0u / 64})
                    std::printf("{\"appended\": %d, \"threads\": %d, \"how\": %d, \"share\": %.3g, \"s\": %.6g}\n", n, threads, how, limit / 4294967296.0,
                                seconds([&] { append<<<n / threads, threads>>>(words, b, c, how, limit); }, 4));
    std::fflush(stdout);
    for (int how : {0, 1, 2, 3})
        for (int n : {4096, 65536})
            for (int blocks : {132, 528, 1056})
                for (int threads : {128, 256})
                    for (int rounds : {16, 256, 2048})
                        for (int spread : {0, rounds * 4}) {
                            if (how == 3 && n == 4096) continue;
                            std::printf("{\"queue\": %d, \"items\": %d, \"blocks\": %d, \"threads\": %d, \"rounds\": %d, \"spread\": %d, \"s\": %.6g}\n", how, n, blocks, threads, rounds, spread,
                                        seconds([&] { queue<<<blocks, threads>>>(c, reinterpret_cast<float*>(b), n, rounds, spread, how); }, 1, 5, [&] { cudaMemsetAsync(c, 0, 4); }));
                        }
    check(cudaDeviceSynchronize(), "end");
}
