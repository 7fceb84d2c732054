// The host's time for many launches: with the same arguments, with others each, and a loop that waits for each.
#include <chrono>
#include <cstdio>
#include "../programs/check.h"
__global__ void add(float* x, int n, float a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += a;
}
static double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
int main() {
    const int n = 1 << 20, rounds = 10000;
    float *x, *y;
    CHECK(cudaMalloc(&x, n * 4));
    CHECK(cudaMemset(x, 0, n * 4));
    add<<<n / 256, 256>>>(x, n, 1);
    CHECK(cudaDeviceSynchronize());
    double start = now();
    for (int i = 0; i < rounds; ++i) add<<<n / 256, 256>>>(x, n, 1);
    CHECK(cudaDeviceSynchronize());
    printf("same %.3f ms\n", now() - start);
    start = now();
    for (int i = 0; i < rounds; ++i) add<<<n / 256, 256>>>(x, n, i);
    CHECK(cudaDeviceSynchronize());
    printf("changed %.3f ms\n", now() - start);
    start = now();
    for (int i = 0; i < rounds / 10; ++i) {
        add<<<n / 256, 256>>>(x, n, 2);
        CHECK(cudaDeviceSynchronize());
    }
    printf("waiting %.3f ms\n", now() - start);
    start = now();
    for (int i = 0; i < 100; ++i) {
        CHECK(cudaMalloc(&y, n * 4));
        add<<<n / 256, 256>>>(y, n, 3);
        CHECK(cudaFree(y));
    }
    printf("allocating %.3f ms\n", now() - start);
    return 0;
}
