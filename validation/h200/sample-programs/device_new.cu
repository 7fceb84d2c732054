// In the manner of CUDA's newdelete, FunctionPointers, stereoDisparity and simpleAtomicIntrinsics.
#include "../programs/check.h"
#include <cstring>
struct Shape { __device__ virtual float area() const = 0; __device__ virtual ~Shape() {} };
struct Square : Shape { float s; __device__ explicit Square(float v) : s(v) {} __device__ float area() const override { return s * s; } };
struct Circle : Shape { float r; __device__ explicit Circle(float v) : r(v) {} __device__ float area() const override { return 3 * r * r; } };
__global__ void make(Shape** shapes, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) shapes[i] = i % 2 ? (Shape*)new Square(i) : (Shape*)new Circle(i); }
__global__ void measure(Shape** shapes, float* out, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = shapes[i]->area(); }
__global__ void destroy(Shape** shapes, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) delete shapes[i]; }
typedef unsigned char (*Filter)(unsigned char, unsigned char, unsigned char);
__device__ unsigned char middle(unsigned char a, unsigned char b, unsigned char c) { return max(min(a, b), min(max(a, b), c)); }
__device__ unsigned char widest(unsigned char a, unsigned char b, unsigned char c) { return max(a, max(b, c)) - min(a, min(b, c)); }
__device__ Filter filters[2] = {middle, widest};
__device__ Filter chosen = middle;
__global__ void apply(const unsigned char* in, unsigned char* out, int n, int which, Filter given) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) out[i] = which < 2 ? filters[which](in[i - 1], in[i], in[i + 1]) : given(in[i - 1], in[i], in[i + 1]);
}
__global__ void video(const unsigned* a, const unsigned* b, unsigned* out) {
    const int i = threadIdx.x;
    unsigned sad = __vsadu4(a[i], b[i]);
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(sad) : "r"(a[i]), "r"(b[i]), "r"(sad));
    out[i] = sad + __vmaxu4(a[i], b[i]) + __byte_perm(a[i], b[i], 0x5140) + __dp4a(a[i], b[i], 3u) + __funnelshift_l(a[i], b[i], 5);
    out[i] ^= __vaddus2(a[i], b[i]) ^ __vcmpgtu4(a[i], b[i]) ^ __brev(a[i]) ^ __usad(a[i], b[i], 7) ^ __vavgu4(a[i], b[i]);
}
__global__ void atomics(int* g) {
    const int t = blockDim.x * blockIdx.x + threadIdx.x;
    atomicAdd(&g[0], 10); atomicSub(&g[1], 10); atomicExch(&g[2], t); atomicMax(&g[3], t); atomicMin(&g[4], t);
    atomicInc((unsigned*)&g[5], 17); atomicDec((unsigned*)&g[6], 137); atomicCAS(&g[7], t - 1, t); atomicAnd(&g[8], 2 * t + 7);
    atomicOr(&g[9], 1 << t % 32); atomicXor(&g[10], t); atomicAdd_system(&g[11], 3); atomicAdd_block(&g[12 + blockIdx.x % 4], 1);
    atomicAdd((float*)&g[16], 0.5f); atomicAdd((double*)&g[18], 0.25); atomicAdd((unsigned long long*)&g[20], 1ull << 20);
    atomicMax((long long*)&g[22], (long long)t << 33);
}
int main() {
    const int n = 1024;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    size_t heap = 0, stack = 0;
    CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize)); CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096)); CHECK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
    bool right = heap >= (16 << 20) && stack >= 4096;
    Shape** shapes; float* areas;
    CHECK(cudaMalloc(&shapes, n * 8)); CHECK(cudaMalloc(&areas, n * 4));
    make<<<n / 128, 128>>>(shapes, n);
    measure<<<n / 128, 128>>>(shapes, areas, n);
    destroy<<<n / 128, 128>>>(shapes, n);
    std::vector<float> got(n);
    CHECK(cudaMemcpy(got.data(), areas, n * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) right = right && got[i] == (i % 2 ? 1.0f : 3.0f) * i * i;
    printf("objects %d\n", right);
    std::vector<unsigned char> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i * 37 % 251;
    unsigned char *din, *dout;
    CHECK(cudaMalloc(&din, n)); CHECK(cudaMalloc(&dout, n));
    CHECK(cudaMemcpy(din, in.data(), n, cudaMemcpyHostToDevice));
    Filter given;
    CHECK(cudaMemcpyFromSymbol(&given, chosen, sizeof given));
    for (int which = 0; which < 3; ++which) {
        apply<<<n / 256, 256>>>(din, dout, n, which, given);
        CHECK(cudaMemcpy(out.data(), dout, n, cudaMemcpyDeviceToHost));
        for (int i = 1; i < n - 1; ++i) {
            const int a = in[i - 1], b = in[i], c = in[i + 1], low = std::min(a, std::min(b, c)), high = std::max(a, std::max(b, c));
            right = right && out[i] == (which == 1 ? high - low : a + b + c - low - high);
        }
    }
    printf("pointers %d\n", right);
    unsigned a[32], b[32], v[32], *da;
    for (int i = 0; i < 32; ++i) a[i] = i * 0x9e3779b9u, b[i] = ~i * 0x85ebca6bu;
    CHECK(cudaMalloc(&da, 3 * sizeof a));
    CHECK(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(da + 32, b, sizeof b, cudaMemcpyHostToDevice));
    video<<<1, 32>>>(da, da + 32, da + 64);
    CHECK(cudaMemcpy(v, da + 64, sizeof v, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; ++i) {
        unsigned sad = 0, most = 0, dot = 3, above = 0, mean = 0, sum2 = 0, reversed = 0;
        for (int k = 0; k < 4; ++k) {
            const unsigned x = a[i] >> 8 * k & 255, y = b[i] >> 8 * k & 255;
            sad += x > y ? x - y : y - x, most |= std::max(x, y) << 8 * k, dot += x * y, above |= (x > y ? 255u : 0) << 8 * k, mean |= (x + y + 1) / 2 << 8 * k;
        }
        for (int k = 0; k < 2; ++k) sum2 |= std::min(65535u, (a[i] >> 16 * k & 65535) + (b[i] >> 16 * k & 65535)) << 16 * k;
        for (int k = 0; k < 32; ++k) reversed |= (a[i] >> k & 1) << (31 - k);
        const unsigned mixed = (a[i] & 255) | (b[i] & 255) << 8 | (a[i] >> 8 & 255) << 16 | (b[i] >> 8 & 255) << 24;
        unsigned want = 2 * sad + most + mixed + dot + (b[i] << 5 | a[i] >> 27);
        want ^= sum2 ^ above ^ reversed ^ ((a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]) + 7) ^ mean;
        right = right && v[i] == want;
    }
    printf("video %d\n", right);
    int g[24] = {}, *dg;
    g[8] = g[10] = 0xff, g[4] = 1 << 20;
    CHECK(cudaMalloc(&dg, sizeof g));
    CHECK(cudaMemcpy(dg, g, sizeof g, cudaMemcpyHostToDevice));
    atomics<<<64, 256>>>(dg);
    CHECK(cudaMemcpy(g, dg, sizeof g, cudaMemcpyDeviceToHost));
    const int total = 64 * 256;
    float f; double d; unsigned long long u; long long l;
    memcpy(&f, g + 16, 4), memcpy(&d, g + 18, 8), memcpy(&u, g + 20, 8), memcpy(&l, g + 22, 8);
    right = right && g[0] == 10 * total && g[1] == -10 * total && g[2] >= 0 && g[2] < total && g[3] == total - 1 && g[4] == 0;
    unsigned inc = 0, dec = 0;
    for (int i = 0; i < total; ++i) inc = inc >= 17 ? 0 : inc + 1, dec = dec == 0 || dec > 137 ? 137 : dec - 1;
    int all = 0xff, bits = 0xff;
    for (int i = 0; i < total; ++i) all &= 2 * i + 7, bits ^= i;
    right = right && unsigned(g[5]) == inc && unsigned(g[6]) == dec && g[8] == all && g[9] == -1 && g[10] == bits && g[11] == 3 * total;
    right = right && g[12] + g[13] + g[14] + g[15] == total && f == 0.5f * total && d == 0.25 * total && u == (unsigned long long)total << 20 && l == (long long)(total - 1) << 33;
    return verdict(right, "device_new");
}
