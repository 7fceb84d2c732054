// Single mechanisms: atomics and stores to few lines, atomics in shared memory, chains of loads, strided stores, blocks of unequal
// length, products of warpgroups, barriers of clusters; one JSON line each.
//
//     nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o mechanisms mechanisms.cu && ./mechanisms | xz > mechanisms.jsonl.xz
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "../pipelines/groups.cu"

static void check(cudaError_t s, const char* what) {
    if (s != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(s));
}
static double seconds(const std::function<void()>& work, int repeats = 5) {
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    std::vector<double> t;
    work();
    for (int r = 0; r < repeats; ++r) {
        cudaEventRecord(a);
        work();
        cudaEventRecord(b);
        check(cudaEventSynchronize(b), "run");
        float ms = 0;
        cudaEventElapsedTime(&ms, a, b);
        t.push_back(ms * 1e-3);
    }
    std::sort(t.begin(), t.end());
    return t[t.size() / 2];
}
__device__ inline unsigned now() { unsigned v; asm volatile("mov.u32 %0, %%clock;" : "=r"(v)::"memory"); return v; }
__device__ inline unsigned smid() { unsigned v; asm volatile("mov.u32 %0, %%smid;" : "=r"(v)); return v; }
__device__ inline unsigned hashed(unsigned x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// ---- atomics: `words` different ones of a warp in one line, `lines` lines in all
enum { add_int, add_float, fetch_int, store_int };
template <int what>
__global__ void update(int* p, int rounds, int words, int lines, int apart, int active) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (lane >= active) return;
    int sum = 1;
    for (int r = 0; r < rounds; ++r) {
        int* at = p + static_cast<long long>(hashed(warp * 977 + r) % lines) * apart + lane % words;
        if (what == add_int) atomicAdd(at, 1);
        else if (what == add_float) atomicAdd(reinterpret_cast<float*>(at), 1.0f);
        else if (what == fetch_int) sum += atomicAdd(at, sum & 3);
        else *reinterpret_cast<volatile int*>(at) = r;
    }
    if (sum == 0x12345) *p = sum;
}
template <int what>
static void updates(const char* name, int* p) {
    struct Setup { int words, lines, apart, active, blocks; };
    std::vector<Setup> all;
    for (int lines : {1, 2, 4, 8, 16, 64, 256, 1024, 8192})
        for (int words : {1, 32}) all.push_back({words, lines, 32, 32, 528});
    for (int words : {2, 4, 8, 16}) all.push_back({words, 1, 32, 32, 528}), all.push_back({words, 1024, 32, 32, 528});
    for (int blocks : {1, 8, 32, 132}) all.push_back({1, 1, 32, 32, blocks}), all.push_back({1, 1024, 32, 32, blocks}), all.push_back({32, 8192, 32, 32, blocks});
    for (int active : {1, 8}) all.push_back({1, 1, 32, active, 528}), all.push_back({1, 1024, 32, active, 528});
    for (int apart : {1024, 4096}) all.push_back({1, 16, apart, 32, 528}), all.push_back({1, 256, apart, 32, 528});
    for (const auto& s : all) {
        const int rounds = s.blocks < 132 ? 64 : 16;
        const double t = seconds([&] { update<what><<<s.blocks, 256>>>(p, rounds, s.words, s.lines, s.apart, s.active); });
        std::printf("{\"updates\": \"%s\", \"words\": %d, \"lines\": %d, \"apart\": %d, \"active\": %d, \"blocks\": %d, \"warp_ops\": %d, \"s\": %.6g}\n", name, s.words,
                    s.lines, s.apart * 4, s.active, s.blocks, s.blocks * 8 * rounds, t);
    }
}

// ---- loads before stores to one word, as a flag; `every` warps store
__global__ void flag(const float* a, int* p, int every) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (a[i] < 1e30f && threadIdx.x / 32 % every == 0) *reinterpret_cast<volatile int*>(p) = 1;
}

// ---- atomics in shared memory: m lanes share a word
__global__ void shared_updates(const int* index, unsigned* cycles, int* out, int mode) {
    __shared__ int bins[1024];
    for (int b = threadIdx.x; b < 1024; b += blockDim.x) bins[b] = 0;
    const int lane = threadIdx.x;
    int at[8];
    for (int k = 0; k < 8; ++k) at[k] = index[(k * 1024 + lane) % 8192];
    __syncthreads();
    const unsigned start = now();
    for (int r = 0; r < 32; ++r)
        for (int k = 0; k < 8; ++k) {
            if (mode == 0) atomicAdd(&bins[at[k]], 1);
            else if (mode == 1) atomicAdd(&bins[at[k]], r + lane);
            else if (mode == 2) at[k] = (at[k] + (atomicAdd(&bins[at[k]], r) >> 31)) & 1023;
            else atomicAdd(reinterpret_cast<float*>(&bins[at[k]]), 1.0f);
        }
    __syncthreads();
    if (threadIdx.x == 0) *cycles = now() - start;
    out[threadIdx.x] = bins[threadIdx.x] + at[0];
}

// ---- chains of loads
__global__ void chase(const int* next, int* out, int steps, int lanes, int stride) {
    const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (lane >= lanes) return;
    int at = (warp * 32 + lane) * stride;
    for (int k = 0; k < steps; ++k) at = next[at];
    out[warp * 32 + lane] = at;
}

// ---- transposes
template <class T>
__global__ void scatter_columns(const T* in, T* out, int n, int pitch) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < n && y < n) out[static_cast<long long>(x) * pitch + y] = in[static_cast<long long>(y) * pitch + x];
}
template <class T>
__global__ void gather_columns(const T* in, T* out, int n, int pitch) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < n && y < n) out[static_cast<long long>(y) * pitch + x] = in[static_cast<long long>(x) * pitch + y];
}
template <class T>
static void transposes(const char* name, char* a, char* b) {
    for (int n : {1024, 2048, 3000, 4096})
        for (int more : {0, 32}) {
            const dim3 grid((n + 31) / 32, (n + 7) / 8), block(32, 8);
            const int pitch = n + more;
            const double s = seconds([&] { scatter_columns<<<grid, block>>>(reinterpret_cast<T*>(a), reinterpret_cast<T*>(b), n, pitch); });
            const double g = seconds([&] { gather_columns<<<grid, block>>>(reinterpret_cast<T*>(a), reinterpret_cast<T*>(b), n, pitch); });
            std::printf("{\"transpose\": \"%s\", \"n\": %d, \"pitch\": %d, \"scatter_s\": %.6g, \"gather_s\": %.6g}\n", name, n, pitch, s, g);
        }
}

// ---- blocks whose length grows: who runs them, when
struct Mark { unsigned sm, start, end; };
__device__ inline unsigned nanoseconds() { unsigned long long v; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(v)); return static_cast<unsigned>(v); }
__global__ void growing(Mark* marks, float* out, int length, int shape) {
    const unsigned start = nanoseconds();
    const int count = shape == 0 ? blockIdx.x * length : shape == 1 ? static_cast<int>(gridDim.x - blockIdx.x) * length : hashed(blockIdx.x) % gridDim.x * length;
    float x = threadIdx.x;
    for (int k = 0; k < count; ++k) x = x * 0.999f + 0.5f;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
    if (threadIdx.x == 0) marks[blockIdx.x] = {smid(), start, nanoseconds()};
}
static void timelines(float* out) {
    Mark* marks;
    cudaMalloc(&marks, 4096 * sizeof(Mark));
    for (int blocks : {264, 2112})
        for (int threads : {128, 512})
            for (int shape : {0, 1, 2}) {
                const double t = seconds([&] { growing<<<blocks, threads>>>(marks, out, blocks == 264 ? 80 : 10, shape); });
                std::vector<Mark> host(blocks);
                cudaMemcpy(host.data(), marks, blocks * sizeof(Mark), cudaMemcpyDeviceToHost);
                unsigned first = ~0u;
                for (const Mark& m : host) first = std::min(first, m.start);
                std::printf("{\"growing\": %d, \"threads\": %d, \"shape\": %d, \"s\": %.6g, \"blocks\": [", blocks, threads, shape, t);
                for (int k = 0; k < blocks; ++k) std::printf("%s[%u,%u,%u]", k ? "," : "", host[k].sm, host[k].start - first, host[k].end - first);
                std::printf("]}\n");
            }
}

// ---- clusters: cycles of a barrier, and of a load from another block
template <int size>
__global__ void __cluster_dims__(size, 1, 1) meetings(unsigned* cycles, int* out) {
    __shared__ int mine[256];
    mine[threadIdx.x] = threadIdx.x * 4 % 1024;
    meet();
    unsigned t0 = now();
    for (int k = 0; k < 64; ++k) meet();
    const unsigned t1 = now();
    U p;
    asm volatile("mapa.shared::cluster.u32 %0,%1,%2;" : "=r"(p) : "r"(at(mine)), "r"((rank_in_cluster() + 1) % size));
    int x = threadIdx.x;
    const unsigned t2 = now();
    for (int k = 0; k < 64; ++k) asm volatile("ld.shared::cluster.b32 %0,[%1];" : "=r"(x) : "r"(p + (x & 1020)));
    const unsigned t3 = now();
    meet();
    out[threadIdx.x] = x;
    if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = t1 - t0, cycles[1] = t3 - t2;
}
template <int size>
static void clusters(unsigned* cycles, int* out) {
    for (int threads : {32, 256}) {
        meetings<size><<<size * 8, threads>>>(cycles, out);
        check(cudaDeviceSynchronize(), "clusters");
        std::printf("{\"cluster\": %d, \"threads\": %d, \"barrier_cycles\": %.4g, \"load_cycles\": %.4g}\n", size, threads, cycles[0] / 64.0, cycles[1] / 64.0);
    }
}

static void rates(float* out, const U* in) {
    const auto line = [](const char* name, int groups, double cycles) { std::printf("{\"wgmma\": \"%s\", \"warpgroups\": %d, \"cycles\": %.5g}\n", name, groups, cycles); };
    for (int groups : {1, 2, 3, 4}) {
        const int threads = 128 * groups, few = 1000, many = 5000;
        const double scale = 1.98e9 / (4 * (many - few));
        const auto rate = [&](auto kernel) { return (seconds([&] { kernel<<<132, threads>>>(out, many); }, 3) - seconds([&] { kernel<<<132, threads>>>(out, few); }, 3)) * scale; };
        const auto with = [&](auto kernel) { return (seconds([&] { kernel<<<132, threads>>>(in, out, many); }, 3) - seconds([&] { kernel<<<132, threads>>>(in, out, few); }, 3)) * scale; };
        line("8", groups, rate(p_rate_8));
        line("64", groups, rate(p_rate_64));
        line("128", groups, rate(p_rate_128));
        if (groups < 3) line("256", groups, rate(p_rate_256));
        line("registers 64", groups, with(p_rate_registers_64));
        line("registers 128", groups, with(p_rate_registers_128));
    }
}

int main() {
    char *a, *b;
    const std::size_t bytes = 1ull << 30;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMemset(a, 0, bytes);
    cudaMemset(b, 0, bytes);
    unsigned* cycles;
    cudaMallocHost(&cycles, 64);
    int* p = reinterpret_cast<int*>(a);
    rates(reinterpret_cast<float*>(a), reinterpret_cast<U*>(b));
    clusters<2>(cycles, p);
    clusters<4>(cycles, p);
    clusters<8>(cycles, p);
    updates<add_int>("red int", p);
    updates<add_float>("red float", p);
    updates<fetch_int>("atom int", p);
    updates<store_int>("store", p);
    for (int every : {1, 2, 4, 8}) {
        const double with = seconds([&] { flag<<<16384, 256>>>(reinterpret_cast<float*>(b), p, every); });
        std::printf("{\"flag\": %d, \"warps\": %d, \"s\": %.6g}\n", every, 131072, with);
    }
    std::mt19937 random(1);
    std::vector<int> host(8192);
    int* index;
    cudaMalloc(&index, 8192 * 4);
    for (int threads : {32, 256, 1024})
        for (int kind = 0; kind < 10; ++kind) {  // 0 to 5: 1 to 32 lanes on a word; 6 to 9: random among 16, 64, 256, 1024
            for (int e = 0; e < 8192; ++e) host[e] = kind < 6 ? (e % 32 >> kind) + e / 32 % 8 * 32 : static_cast<int>(random() % (16u << 2 * (kind - 6)));
            cudaMemcpy(index, host.data(), 8192 * 4, cudaMemcpyHostToDevice);
            for (int mode = 0; mode < 4; ++mode) {
                for (int r = 0; r < 2; ++r) shared_updates<<<1, threads>>>(index, cycles, p, mode);
                check(cudaDeviceSynchronize(), "shared");
                std::printf("{\"shared_updates\": %d, \"mode\": %d, \"threads\": %d, \"cycles_of_warp_op\": %.5g}\n", kind, mode, threads, cycles[0] / 256.0 / (threads / 32));
            }
        }
    for (std::size_t mib : {1, 8, 32, 64, 512}) {
        const std::size_t count = mib << 18;
        std::vector<int> order(count), next(count);
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t k = count - 1; k; --k) std::swap(order[k], order[random() % (k + 1)]);
        for (std::size_t k = 0; k < count; ++k) next[order[k]] = order[(k + 1) % count];
        cudaMemcpy(b, next.data(), count * 4, cudaMemcpyHostToDevice);
        for (int lanes : {1, 4, 32})
            for (const auto& shape : {std::pair{1, 32}, {1, 256}, {132, 32}, {132, 256}, {132, 1024}, {264, 1024}}) {
                const int blocks = shape.first, threads = shape.second;
                const int steps = 200;
                const int stride = std::max<std::size_t>(1, count / (static_cast<std::size_t>(blocks) * threads));
                const double few = seconds([&] { chase<<<blocks, threads>>>(reinterpret_cast<int*>(b), p, steps / 2, lanes, stride); }, 3);
                const double t = seconds([&] { chase<<<blocks, threads>>>(reinterpret_cast<int*>(b), p, steps, lanes, stride); }, 3);
                std::printf("{\"chase_MiB\": %zu, \"lanes\": %d, \"blocks\": %d, \"threads\": %d, \"step_ns\": %.5g, \"first_ns\": %.5g}\n", mib, lanes, blocks, threads,
                            (t - few) / (steps - steps / 2) * 1e9, few / (steps / 2) * 1e9);
            }
        std::fflush(stdout);
    }
    transposes<float>("f32", a, b);
    transposes<double>("f64", a, b);
    transposes<unsigned short>("u16", a, b);
    timelines(reinterpret_cast<float*>(b));
    check(cudaDeviceSynchronize(), "end");
}
