// Chunks in four streams: copy in, compute, copy out, from pinned memory.
#include "check.h"
__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
int main() {
    const int n = 1 << 20, parts = 4, part = n / parts;
    float *x, *y, *dx, *dy;
    CHECK(cudaMallocHost(&x, n * sizeof(float)));
    CHECK(cudaHostAlloc(&y, n * sizeof(float), cudaHostAllocDefault));
    CHECK(cudaMalloc(&dx, n * sizeof(float)));
    CHECK(cudaMalloc(&dy, n * sizeof(float)));
    for (int i = 0; i < n; ++i) x[i] = i % 1000, y[i] = 1;
    cudaStream_t streams[parts];
    for (auto& s : streams) CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    Elapsed time;
    for (int p = 0; p < parts; ++p) {
        int o = p * part;
        CHECK(cudaMemcpyAsync(dx + o, x + o, part * sizeof(float), cudaMemcpyHostToDevice, streams[p]));
        CHECK(cudaMemcpyAsync(dy + o, y + o, part * sizeof(float), cudaMemcpyHostToDevice, streams[p]));
        saxpy<<<part / 256, 256, 0, streams[p]>>>(part, 2.0f, dx + o, dy + o);
        CHECK(cudaMemcpyAsync(y + o, dy + o, part * sizeof(float), cudaMemcpyDeviceToHost, streams[p]));
    }
    for (auto& s : streams) CHECK(cudaStreamSynchronize(s));
    time.print();
    bool right = true;
    for (int i = 0; i < n; ++i) right &= y[i] == 2.0f * (i % 1000) + 1;
    for (auto& s : streams) CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
    CHECK(cudaFreeHost(x));
    CHECK(cudaFreeHost(y));
    return verdict(right, "saxpy_streams");
}
