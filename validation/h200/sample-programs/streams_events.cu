// In the manner of CUDA's simpleStreams, asyncAPI, simpleMultiCopy, simpleCallback, concurrentKernels and zero copy.
#include "../programs/check.h"
#include <cstring>
constexpr int N = 1 << 20, STREAMS = 4;
__global__ void init_array(int* data, const int* factor, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; ++k) data[i] += *factor;
}
__global__ void spin(long long* out, long long clocks) {
    const long long start = clock64();
    long long passed = 0;
    while (passed < clocks) passed = clock64() - start;
    out[blockIdx.x] = passed;
}
__global__ void add_mapped(const float* a, const float* b, float* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
static int called = 0;
static void CUDART_CB callback(cudaStream_t, cudaError_t status, void* data) { if (status == cudaSuccess) *(int*)data += 1; }
static void CUDART_CB host_function(void* data) { *(int*)data += 10; }
int main() {
    CHECK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync | cudaDeviceMapHost));
    int low = 0, high = 0, count = 0, canMap = 0;
    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaDeviceGetAttribute(&canMap, cudaDevAttrCanMapHostMemory, 0));
    int* host = (int*)aligned_alloc(4096, N * 4);
    CHECK(cudaHostRegister(host, N * 4, cudaHostRegisterMapped));
    int *data, *factor, five = 5;
    CHECK(cudaMalloc(&data, N * 4)); CHECK(cudaMalloc(&factor, 4));
    CHECK(cudaMemcpy(factor, &five, 4, cudaMemcpyHostToDevice));
    cudaStream_t streams[STREAMS];
    for (int i = 0; i < STREAMS; ++i) CHECK(cudaStreamCreateWithPriority(&streams[i], cudaStreamNonBlocking, i % 2 ? high : low));
    cudaEvent_t start, stop, ready[STREAMS];
    CHECK(cudaEventCreateWithFlags(&start, cudaEventBlockingSync)); CHECK(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
    for (auto& e : ready) CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    CHECK(cudaMemset(data, 0, N * 4));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(start, 0));
    for (int i = 0; i < STREAMS; ++i) {
        init_array<<<N / STREAMS / 512, 512, 0, streams[i]>>>(data + i * N / STREAMS, factor, 5);
        CHECK(cudaMemcpyAsync(host + i * N / STREAMS, data + i * N / STREAMS, N / STREAMS * 4, cudaMemcpyDeviceToHost, streams[i]));
        CHECK(cudaStreamAddCallback(streams[i], callback, &called, 0));
        CHECK(cudaLaunchHostFunc(streams[i], host_function, &called));
        CHECK(cudaEventRecord(ready[i], streams[i]));
        if (i) CHECK(cudaStreamWaitEvent(streams[0], ready[i], 0));
    }
    CHECK(cudaStreamSynchronize(streams[0]));
    CHECK(cudaEventRecord(stop, 0));
    unsigned long spins = 0;
    while (cudaEventQuery(stop) == cudaErrorNotReady) ++spins;
    float ms = -1, bad = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    printf("elapsed %.6f ms\n", ms);
    bool right = called == 44 && ms > 0 && canMap;
    for (int i = 0; i < N; ++i) right = right && host[i] == 25;
    printf("streams %d\n", right);
    right = right && cudaEventElapsedTime(&bad, ready[0], stop) == cudaErrorInvalidResourceHandle && cudaGetLastError() != cudaSuccess && cudaGetLastError() == cudaSuccess;
    printf("untimed event %d\n", right);
    long long *clocks, got[8];
    CHECK(cudaMalloc(&clocks, sizeof got));
    for (int i = 0; i < 8; ++i) spin<<<1, 1, 0, streams[i % STREAMS]>>>(clocks + i, 20000);
    for (auto& s : streams) while (cudaStreamQuery(s) == cudaErrorNotReady) ++spins;
    CHECK(cudaMemcpy(got, clocks, sizeof got, cudaMemcpyDeviceToHost));
    for (long long c : got) right = right && c >= 20000;
    printf("clocks %d\n", right);
    float *a, *b, *c, *da, *db, *dc;
    for (float** p : {&a, &b, &c}) CHECK(cudaHostAlloc(p, 65536 * 4, cudaHostAllocMapped));
    for (int i = 0; i < 65536; ++i) a[i] = i, b[i] = 2 * i;
    CHECK(cudaHostGetDevicePointer(&da, a, 0)); CHECK(cudaHostGetDevicePointer(&db, b, 0)); CHECK(cudaHostGetDevicePointer(&dc, c, 0));
    add_mapped<<<65536 / 256, 256>>>(da, db, dc);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 65536; ++i) right = right && c[i] == 3.0f * i;
    CHECK(cudaHostUnregister(host));
    for (auto& s : streams) CHECK(cudaStreamDestroy(s));
    for (auto& e : ready) CHECK(cudaEventDestroy(e));
    CHECK(cudaDeviceReset());
    return verdict(right, "streams_events");
}
