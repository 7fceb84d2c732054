// Kernels whose time is not that of their instructions: loops that wait for a clock, sleeps, memory of the host. One that
// measures with a clock, and waits for nothing.
#include <cstdio>

__global__ void waits(long long cycles, long long* out) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
    *out = clock64() - begin;
}
__global__ void waits_for_timer(unsigned long long nanoseconds) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - begin < nanoseconds);
}
__global__ void sleeps() {
    for (int i = 0; i < 10; ++i) __nanosleep(10000);
}
__global__ void measures(long long* out, int rounds) {
    long long sum = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) {
        const long long begin = clock64();
        sum += clock64() - begin;
    }
    *out = sum;
}
__global__ void adds(const float* a, float* b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i] + 1;
}
__global__ void follows(const unsigned* next, unsigned* out, int steps) {
    unsigned at = 0;
#pragma unroll 1
    for (int i = 0; i < steps; ++i) at = next[at];
    *out = at;
}
__global__ void counts(int* to, int words) { atomicAdd(to + threadIdx.x % words, 1); }

int main() {
    const int n = 1 << 20;
    long long *device, waited, measured;
    float *from, *to;
    unsigned *chain, *end;
    int* counter;
    bool right = cudaMalloc(&device, 8) == cudaSuccess;
    waits<<<1, 1>>>(1000000, device);
    right = right && cudaMemcpy(&waited, device, 8, cudaMemcpyDeviceToHost) == cudaSuccess;
    waits_for_timer<<<1, 1>>>(200000);
    sleeps<<<1, 1>>>();
    measures<<<1, 1>>>(device, 1000);
    right = right && cudaMemcpy(&measured, device, 8, cudaMemcpyDeviceToHost) == cudaSuccess;
    right = right && waited >= 1000000 && waited < 1040000 && measured < 100000;
    cudaHostAlloc(&from, n * 4, cudaHostAllocMapped), cudaHostAlloc(&to, n * 4, cudaHostAllocMapped);
    cudaHostAlloc(&chain, 65536, cudaHostAllocMapped), cudaHostAlloc(&counter, 4, cudaHostAllocMapped);
    cudaMalloc(&end, 4);
    for (int i = 0; i < n; ++i) from[i] = i;
    for (int i = 0; i < 16384; ++i) chain[i] = (i + 32) % 16384;
    *counter = 0;
    adds<<<n / 256, 256>>>(from, to, n);
    follows<<<1, 1>>>(chain, end, 500);
    counts<<<4, 256>>>(counter, 1);
    right = right && cudaDeviceSynchronize() == cudaSuccess && to[n - 1] == n && *counter == 1024;
    printf("%s\n", right ? "right" : "WRONG");
    return right ? 0 : 1;
}
