// Where warps and blocks go, pieces of memory, stages of a marching stencil; one JSON line each.
//
//     nvcc -O3 -std=c++17 -arch=sm_90 -o micro micro.cu && ./micro > results.jsonl
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

static void check(cudaError_t s, const char* what) { if (s != cudaSuccess) { std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(s)); std::exit(1); } }

__device__ inline unsigned smid() { unsigned v; asm volatile("mov.u32 %0, %%smid;" : "=r"(v)); return v; }
__device__ inline unsigned warpid() { unsigned v; asm volatile("mov.u32 %0, %%warpid;" : "=r"(v)); return v; }
__device__ inline unsigned now() { unsigned v; asm volatile("mov.u32 %0, %%clock;" : "=r"(v)::"memory"); return v; }

static double seconds(int repeats, const std::function<void()>& work) {
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    std::vector<double> t;
    work();
    for (int r = 0; r < repeats; ++r) {
        cudaEventRecord(a); work(); cudaEventRecord(b);
        check(cudaEventSynchronize(b), "run");
        float ms; cudaEventElapsedTime(&ms, a, b); t.push_back(ms * 1e-3);
    }
    std::sort(t.begin(), t.end());
    return t[t.size() / 2];
}

// ---- 1. timeline of blocks of the untiled product
struct Mark { unsigned sm, warp, block, k0, k1, k2, k3, k4; };
__global__ void product(const float* a, const float* b, float* c, int n, Mark* marks) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    const unsigned t0 = now();
    unsigned t[3] = {};
    float sum = 0;
    for (int q = 0; q < 4; ++q) {
        for (int k = q * (n / 4); k < (q + 1) * (n / 4); ++k) sum += a[y * n + k] * b[k * n + x];
        if (q < 3) { asm volatile("" ::"f"(sum)); t[q] = now(); }
    }
    c[y * n + x] = sum;
    const unsigned t4 = now();
    if (threadIdx.x % 32 == 0) {
        const unsigned block = blockIdx.y * gridDim.x + blockIdx.x, w = block * (blockDim.x / 32) + threadIdx.x / 32;
        marks[w] = {smid(), warpid(), block, t0, t[0], t[1], t[2], t4};
    }
}
static void timeline() {
    const int n = 1024;
    float *a, *b, *c; Mark* m;
    cudaMalloc(&a, n * n * 4); cudaMalloc(&b, n * n * 4); cudaMalloc(&c, n * n * 4);
    cudaMalloc(&m, sizeof(Mark) * n * n / 32);
    cudaMemset(a, 0, n * n * 4); cudaMemset(b, 0, n * n * 4);
    for (int threads : {32, 64, 128, 256, 512, 1024}) {
        const dim3 grid(n / threads, n);
        const double t = seconds(5, [&] { product<<<grid, threads>>>(a, b, c, n, m); });
        check(cudaDeviceSynchronize(), "product");
        std::vector<Mark> host(n * n / 32);
        cudaMemcpy(host.data(), m, host.size() * sizeof(Mark), cudaMemcpyDeviceToHost);
        std::printf("{\"test\": \"timeline\", \"threads\": %d, \"us\": %.3f, \"marks\": [", threads, t * 1e6);
        bool first = true;
        for (const Mark& k : host)
            if (k.sm == 0 || k.sm == 65) {
                std::printf("%s[%u,%u,%u,%u,%u,%u,%u,%u]", first ? "" : ",", k.sm, k.warp, k.block, k.k0, k.k1, k.k2, k.k3, k.k4);
                first = false;
            }
        std::printf("]}\n");
    }
}

// ---- 2. which sub-core a warp goes to
__global__ void placed(unsigned* out, int which, int rounds, unsigned* where) {
    const unsigned w = threadIdx.x / 32;
    unsigned v = threadIdx.x;
    if (w == static_cast<unsigned>(which)) {
        unsigned p = v, q = v + 1, r = v + 2, s = v + 3;
        for (int k = 0; k < rounds; ++k) { p = (p ^ (p >> 3)) + 1; q = (q ^ (q >> 3)) + 1; r = (r ^ (r >> 3)) + 1; s = (s ^ (s >> 3)) + 1; }
        v = p ^ q ^ r ^ s;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0 && where) where[blockIdx.x * (blockDim.x / 32) + w] = smid() << 16 | warpid();
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
static void placement() {
    unsigned *out, *where;
    cudaMalloc(&out, 4 << 20); cudaMalloc(&where, 1 << 20);
    for (int warps : {1, 2, 3, 4, 5, 6, 8, 12, 16, 32})
        for (int blocks : {1, 2, 3, 4, 8})
            for (int which : {0, 1}) {
                if (which >= warps || warps * blocks > 64) continue;
                const double t = seconds(7, [&] { placed<<<132 * blocks, warps * 32>>>(out, which, 2000, where); });
                std::vector<unsigned> host(132 * blocks * warps);
                cudaMemcpy(host.data(), where, host.size() * 4, cudaMemcpyDeviceToHost);
                std::printf("{\"test\": \"placement\", \"warps\": %d, \"blocks\": %d, \"which\": %d, \"us\": %.3f, \"ids\": [", warps, blocks, which, t * 1e6);
                bool first = true;
                for (std::size_t k = 0; k < host.size(); ++k)
                    if (host[k] >> 16 == 7) { std::printf("%s%u", first ? "" : ",", host[k] & 0xffff); first = false; }
                std::printf("]}\n");
            }
}

// ---- 3. pieces of memory anywhere
__device__ inline std::uint64_t mixed(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ull; z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull; z = (z ^ (z >> 27)) * 0x94d049bb133111ebull; return z ^ (z >> 31);
}
// Groups of lanes read pieces of `bytes`, a lane 16 bytes at a time; four in flight.
template <bool write>
__global__ void __launch_bounds__(256) pieces(const float4* a, float4* b, unsigned pieces_of_array, int bytes, int rounds) {
    const std::uint64_t id = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x, all = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
    const unsigned per = bytes / 16;
    float sum = 0;
    for (int r = 0; r < rounds; r += 4) {
        float4 v[4]; std::uint64_t at[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const std::uint64_t n = (r + k) * all + id;
            at[k] = mixed(n / per) % pieces_of_array * per + n % per;
            v[k] = __ldcg(a + at[k]);
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) { sum += v[k].x; if (write) b[at[k]] = v[k]; }
    }
    if (sum == 1.25f) b[0].x = sum;
}
static void by_piece() {
    const std::size_t bytes = 2ull << 30;
    float4 *a, *b; cudaMalloc(&a, bytes); cudaMalloc(&b, bytes);
    cudaMemset(a, 0, bytes);
    for (int blocks : {2, 4, 8})
        for (int size : {32, 64, 128, 256, 512, 1024, 2048, 4096, 16384})
            for (int write : {0, 1}) {
                const int rounds = 64; const unsigned count = bytes / size;
                const double t = seconds(3, [&] { write ? pieces<true><<<132 * blocks, 256>>>(a, b, count, size, rounds) : pieces<false><<<132 * blocks, 256>>>(a, b, count, size, rounds); });
                std::printf("{\"test\": \"pieces\", \"blocks\": %d, \"bytes\": %d, \"write\": %d, \"GBs\": %.1f}\n", blocks, size, write, 132.0 * blocks * 256 * rounds * 16 * (1 + write) / t * 1e-9);
            }
    cudaFree(a); cudaFree(b);
}

// ---- 4. a copy that marches through planes, by shape of blocks and loads in flight
template <int ahead>
__global__ void march(const float* in, float* out, int nx, int plane, int depth) {
    const int at = (blockIdx.y * blockDim.y + threadIdx.y) * nx + blockIdx.x * blockDim.x + threadIdx.x;
    for (int z = 0; z < depth; z += ahead) {
        float v[ahead];
#pragma unroll
        for (int k = 0; k < ahead; ++k) v[k] = in[(z + k) * plane + at];
#pragma unroll
        for (int k = 0; k < ahead; ++k) out[(z + k) * plane + at] = v[k] + 1;
    }
}
static void marching() {
    const int n = 512, depth = 128;
    float *a, *b; const std::size_t bytes = 4ull * n * n * depth;
    cudaMalloc(&a, bytes); cudaMalloc(&b, bytes); cudaMemset(a, 0, bytes);
    for (const auto [bx, by] : {std::pair{32, 8}, {64, 4}, {128, 2}, {256, 1}, {32, 4}, {32, 16}})
        for (int ahead : {1, 2, 4}) {
            const dim3 grid(n / bx, n / by), block(bx, by);
            const double t = seconds(7, [&] {
                if (ahead == 1) march<1><<<grid, block>>>(a, b, n, n * n, depth);
                if (ahead == 2) march<2><<<grid, block>>>(a, b, n, n * n, depth);
                if (ahead == 4) march<4><<<grid, block>>>(a, b, n, n * n, depth);
            });
            std::printf("{\"test\": \"march\", \"bx\": %d, \"by\": %d, \"ahead\": %d, \"us\": %.2f, \"GBs\": %.1f}\n", bx, by, ahead, t * 1e6, 2.0 * bytes / t * 1e-9);
        }
    cudaFree(a); cudaFree(b);
}

// ---- 5. stages of a stencil that marches: cycles until neighbours in x, in y, and the plane ahead are there
__device__ inline float load(const float* p) { float v; asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(p)); return v; }
__device__ inline void wait_for(float v) { asm volatile("{.reg .f32 t; add.f32 t, %0, 0f3F800000;}" ::"f"(v)); }
__global__ void __launch_bounds__(256) stages(const float* in, float* out, int n, int planes, unsigned long long* sums) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 4 || y < 4 || x >= n - 4 || y >= n - 4) return;
    unsigned long long s[4] = {0, 0, 0, 0};
    for (int z = 4; z < planes - 4; ++z) {
        const float* p = in + (static_cast<std::size_t>(z) * n + y) * n + x;
        const unsigned t0 = now();
        float l = load(p - 4), r = load(p + 4);
        float sum = l + r;
        asm volatile("" ::"f"(sum)); wait_for(sum);
        const unsigned t1 = now();
        float u = load(p - 4 * n), d = load(p + 4 * n);
        sum += u + d; wait_for(sum);
        const unsigned t2 = now();
        float v = load(p + 4 * static_cast<std::size_t>(n) * n);
        sum += v; wait_for(sum);
        const unsigned t3 = now();
        out[(static_cast<std::size_t>(z) * n + y) * n + x] = sum;
        const unsigned t4 = now();
        s[0] += t1 - t0; s[1] += t2 - t1; s[2] += t3 - t2; s[3] += t4 - t3;
    }
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 8) for (int k = 0; k < 4; ++k) atomicAdd(&sums[k], s[k]);
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 8) atomicAdd(&sums[4], 1ull);
}
static void staged() {
    const std::size_t most = 4ull * 512 * 512 * 512;
    float *a, *b; unsigned long long* sums; cudaMalloc(&a, most); cudaMalloc(&b, most); cudaMalloc(&sums, 64); cudaMemset(a, 0, most);
    for (const auto [n, planes] : {std::pair{256, 256}, {512, 128}, {512, 512}, {128, 128}, {256, 64}, {1024, 64}}) {
        for (const auto [bx, by] : {std::pair{32, 8}, {64, 4}, {256, 1}}) {
            if (bx > n) continue;
            const dim3 grid(n / bx, n / by), block(bx, by);
            const double t = seconds(3, [&] { cudaMemsetAsync(sums, 0, 64); stages<<<grid, block>>>(a, b, n, planes, sums); });
            unsigned long long h[5]; cudaMemcpy(h, sums, sizeof h, cudaMemcpyDeviceToHost);
            const double per = static_cast<double>(h[4]) * (planes - 8);
            std::printf("{\"test\": \"stages\", \"n\": %d, \"planes\": %d, \"bx\": %d, \"by\": %d, \"us\": %.2f, \"x\": %.1f, \"y\": %.1f, \"z\": %.1f, \"store\": %.1f}\n", n, planes, bx, by, t * 1e6, h[0] / per, h[1] / per, h[2] / per, h[3] / per);
        }
    }
    cudaFree(a); cudaFree(b);
}

int main() {
    placement(); std::fflush(stdout);
    by_piece(); std::fflush(stdout);
    marching(); std::fflush(stdout);
    staged(); std::fflush(stdout);
    timeline();
}
