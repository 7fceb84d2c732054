// Loops that wait for a clock, and sleeps: microseconds between two events around one launch, median and least of seven,
// and cycles that the first thread counted.
#include "../programs/check.h"
#include <algorithm>
__global__ void nothing() {}
__global__ void spin64(long long cycles, long long* out) { const long long begin = clock64(); while (clock64() - begin < cycles) {} if (threadIdx.x == 0) *out = clock64() - begin; }
__global__ void spin32(long long cycles, long long* out) { const unsigned begin = clock(); while ((unsigned)clock() - begin < (unsigned)cycles) {} if (threadIdx.x == 0) *out = (unsigned)clock() - begin; }
__global__ void offset(long long cycles, long long* out) { const long long begin = clock64(); long long past = 0; while (past < cycles) past = clock64() - begin; if (threadIdx.x == 0) *out = past; }
__device__ inline unsigned long long now() { unsigned long long t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
__global__ void timer(long long ns, long long* out) { const unsigned long long begin = now(); const long long c = clock64(); while (now() - begin < (unsigned long long)ns) {} if (threadIdx.x == 0) *out = clock64() - c; }
__global__ void sleeps(long long ns, long long* out) { const long long c = clock64(); for (int i = 0; i < 10; ++i) __nanosleep((unsigned)ns); if (threadIdx.x == 0) *out = clock64() - c; }
__global__ void backoff(long long ns, long long* out) { const long long c = clock64(); unsigned n = 8; while (clock64() - c < ns) { __nanosleep(n); if (n < 256) n *= 2; } if (threadIdx.x == 0) *out = clock64() - c; }
int main() {
    cudaEvent_t first, last; long long* out; float ms;
    CHECK(cudaEventCreate(&first)); CHECK(cudaEventCreate(&last)); CHECK(cudaMalloc(&out, 8));
    printf("what,value,blocks,threads,median_us,least_us,cycles\n");
    for (int w = 0; w < 4000; ++w) nothing<<<132, 256>>>();
    auto timed = [&](const char* what, auto kernel, long long value, int blocks, int threads) {
        std::vector<float> all;
        for (int k = 0; k < 8; ++k) {
            CHECK(cudaEventRecord(first)); kernel<<<blocks, threads>>>(value, out); CHECK(cudaEventRecord(last)); CHECK(cudaEventSynchronize(last));
            CHECK(cudaEventElapsedTime(&ms, first, last)); if (k) all.push_back(ms * 1e3);
        }
        long long c; CHECK(cudaMemcpy(&c, out, 8, cudaMemcpyDeviceToHost));
        std::sort(all.begin(), all.end());
        printf("%s,%lld,%d,%d,%.2f,%.2f,%lld\n", what, value, blocks, threads, all[3], all[0], c); fflush(stdout);
    };
    for (long long c : {0ll, 100ll, 1000ll, 10000ll, 100000ll, 1000000ll, 10000000ll}) { timed("spin64", spin64, c, 1, 1); timed("spin32", spin32, c, 1, 32); timed("offset", offset, c, 1, 1); }
    timed("spin64", spin64, 100000, 132, 256); timed("spin64", spin64, 100000, 1320, 1024); timed("spin64", spin64, 100000, 264, 1024);
    for (long long n : {100ll, 1000ll, 10000ll, 100000ll, 1000000ll}) timed("globaltimer", timer, n, 1, 1);
    for (long long n : {0ll, 10ll, 20ll, 50ll, 100ll, 200ll, 500ll, 1000ll, 10000ll, 100000ll, 1000000ll}) timed("nanosleep_10", sleeps, n, 1, 1);
    timed("nanosleep_10", sleeps, 1000, 132, 256);
    for (long long c : {1000ll, 10000ll, 100000ll}) timed("backoff", backoff, c, 1, 1);
}
