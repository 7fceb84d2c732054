// Kernels that read and write memory of the host over the link: microseconds between two events around one launch,
// less those of an empty kernel; median and least of seven.
#include <cstring>
#include "../programs/check.h"
#include <algorithm>
__global__ void nothing() {}
template <class T> __global__ void reads(const T* in, float* out, int n, int passes) {
    float sum = 0;
    for (int p = 0; p < passes; ++p)
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += *(const volatile float*)(in + i);
    if (sum == 12345.678f) *out = sum;
}
__global__ void reads4(const float4* in, float* out, int n) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { float4 v = in[i]; sum += v.x + v.y + v.z + v.w; }
    if (sum == 12345.678f) *out = sum;
}
__global__ void strided(const float* in, float* out, int n, int stride) {  // stride in floats
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { float v = in[(size_t)i * stride]; if (v == 12345.678f) *out = v; }
}
__global__ void writes(float* to, int n, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[(size_t)i * stride] = i;
}
__global__ void both(const float* from, float* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] + 1;
}
__global__ void chase(const unsigned* in, float* out, int steps) {
    unsigned at = 0;
    for (int i = 0; i < steps; ++i) at = in[at];
    if (at == 123456789u) *out = at;
}
__global__ void adds(int* to, int n, int distinct) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(to + i % distinct, 1);
}
static cudaEvent_t first, last;
template <class F> static void timed(const char* what, long bytes, long a, long b, F f) {
    std::vector<float> all;
    for (int k = 0; k < 8; ++k) {
        CHECK(cudaEventRecord(first)); f(); CHECK(cudaEventRecord(last)); CHECK(cudaEventSynchronize(last));
        float ms; CHECK(cudaEventElapsedTime(&ms, first, last)); if (k) all.push_back(ms * 1e3);
    }
    std::sort(all.begin(), all.end());
    printf("%s,%ld,%ld,%ld,%.2f,%.2f\n", what, bytes, a, b, all[3], all[0]); fflush(stdout);
}
int main() {
    const size_t most = 256u << 20;
    char *host, *host2, *dev; float* out;
    CHECK(cudaHostAlloc(&host, most, cudaHostAllocMapped)); CHECK(cudaHostAlloc(&host2, 64 << 20, cudaHostAllocMapped));
    CHECK(cudaMalloc(&dev, most)); CHECK(cudaMalloc(&out, 4096));
    memset(host, 0, most); memset(host2, 0, 64 << 20); CHECK(cudaMemset(dev, 0, most));
    CHECK(cudaEventCreate(&first)); CHECK(cudaEventCreate(&last));
    nothing<<<1, 32>>>(); CHECK(cudaDeviceSynchronize());
    printf("what,bytes,a,b,median_us,least_us\n");
    timed("nothing", 0, 0, 0, [&] { nothing<<<1, 32>>>(); });
    for (long bytes : {4096l, 65536l, 1l << 20, 4l << 20, 16l << 20, 64l << 20})
        for (int blocks : {1, 16, 132, 1056}) {
            if (blocks == 1 && bytes > (4l << 20)) continue;
            timed("reads", bytes, blocks, 1, [&] { reads<float><<<blocks, 256>>>((float*)host, out, bytes / 4, 1); });
        }
    for (long bytes : {65536l, 1l << 20, 16l << 20, 64l << 20}) timed("reads", bytes, 264, 2, [&] { reads<float><<<264, 256>>>((float*)host, out, bytes / 4, 2); });
    for (long bytes : {1l << 20, 16l << 20, 64l << 20}) timed("reads4", bytes, 264, 1, [&] { reads4<<<264, 256>>>((float4*)host, out, bytes / 16); });
    for (int threads : {32, 256, 1024}) timed("reads_threads", 16l << 20, 132, threads, [&] { reads<float><<<132, threads>>>((float*)host, out, 4 << 20, 1); });
    for (int stride : {1, 2, 4, 8, 16, 32, 64, 1024}) {
        const int n = std::min(most / 4 / stride, (size_t)1 << 20);
        timed("strided", n * 4l, stride * 4, 0, [&] { strided<<<(n + 255) / 256, 256>>>((float*)host, out, n, stride); });
    }
    for (long bytes : {4096l, 65536l, 1l << 20, 16l << 20, 64l << 20}) timed("writes", bytes, 4, 0, [&] { writes<<<(bytes / 4 + 255) / 256, 256>>>((float*)host, bytes / 4, 1); });
    for (int stride : {2, 8, 16, 32, 64}) {
        const int n = 1 << 20;
        timed("writes", n * 4l, stride * 4, 0, [&] { writes<<<(n + 255) / 256, 256>>>((float*)host, n, stride); });
    }
    for (long bytes : {1l << 20, 16l << 20, 64l << 20}) timed("both", bytes, 0, 0, [&] { both<<<bytes / 1024, 256>>>((float*)host2, (float*)host, bytes / 4); });
    {
        unsigned* p = (unsigned*)host;
        for (long bytes : {4096l, 1l << 20, 64l << 20}) {
            const unsigned n = bytes / 128;
            for (unsigned i = 0; i < n; ++i) p[i * 32] = (i + n / 2 + 7 <= n ? i + n / 2 + 6 : i + n / 2 + 6 - n) % n * 32;
            timed("chase", bytes, 500, 0, [&] { chase<<<1, 1>>>(p, out, 500); });
        }
        memset(host, 0, most);
        for (long bytes : {4096l, 1l << 20}) {
            const unsigned n = bytes / 128;
            std::vector<unsigned> at(bytes / 4);
            for (unsigned i = 0; i < n; ++i) at[i * 32] = (i + n / 2 + 6) % n * 32;
            CHECK(cudaMemcpy(dev, at.data(), bytes, cudaMemcpyHostToDevice));
            timed("chase_device", bytes, 500, 0, [&] { chase<<<1, 1>>>((unsigned*)dev, out, 500); });
        }
    }
    for (int n : {32, 1024, 65536})
        for (int distinct : {1, 32, 1024}) timed("adds", n, distinct, 0, [&] { adds<<<(n + 255) / 256, std::min(n, 256)>>>((int*)host, n, distinct); });
    // what other memory does beside it: half of the reads from the device
    return 0;
}
